import SluiceDefinition
import SluicePosix
import SluiceRecords
import SluiceReport

extension PipelineDefinition {
    /// The entities and what refers to what, for a picture.
    package var diagram: ModelDiagram {
        let across = model.entities.enumerated().map { index, entity in
            (index, AcrossReference.all(of: entity.name, in: self).map { ($0.name, $0.target) })
        }
        return ModelDiagram(name: name, model, across: Dictionary(uniqueKeysWithValues: across))
    }
}

extension PipelineDefinition {
    /// Writes a diagram to a file; at no moment is there a part of it.
    ///
    /// - Throws: `usage` where it is the definition itself, or what a run reads or writes.
    package func write(_ diagram: String, to path: String) throws(Failure) {
        try OutputNames(self, diagram: path).check()
        let output = try OutputFile(path, role: "diagram")
        guard output.write(Array(diagram.utf8)) else { throw output.failure(.io) }
        try output.publish()
    }
}
