import SluiceDefinition
import SluiceExtract
import SluicePosix
import SluiceRecords
import SluiceSeed

/// The types of a pipeline's entities for programs, as Swift: what `sluice swift` writes.
package struct ProgramTypes {
    private let definition: PipelineDefinition
    private let usesDates: Bool

    /// - Parameter usesDates: whether moments are dates of Foundation.
    /// - Throws: `missing` where a variable that matters is not set.
    package init(_ definition: PipelineDefinition, usesDates: Bool = false) throws {
        self.usesDates = usesDates
        try definition.require([.entities])
        self.definition = definition
    }

    /// The file.
    package func text() throws(Failure) -> String {
        var names = SwiftNames(besides: usesDates ? ["Date"] : [])
        let model = definition.model
        let types = model.entities.map { names.type($0.name) }
        var parts = [
            """
            // The objects of the pipeline \(definition.name.printable), written by `sluice swift`. Do not edit it: write it anew when the
            // definition changes.
            // swift-format-ignore-file

            \(usesDates ? "import Foundation\nimport SluiceDates\n" : "")import SluiceStore
            """
        ]
        for (index, entity) in model.entities.enumerated() {
            let across = AcrossReference.all(of: entity.name, in: definition)
            let written = try EntityType(
                entity, type: types[index], model: model, types: types, across: across, usesDates: usesDates)
            parts.append(written.text())
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// Whether a file holds just that.
    ///
    /// - Throws: `missing` where there is none.
    package func isUpToDate(_ path: String) throws(Failure) -> Bool {
        try ReadFile(path).bytes(most: 64 << 20).elementsEqual(try text().utf8)
    }

    /// Writes the file; at no moment is there a part of it.
    ///
    /// - Throws: `usage` where it is the definition itself, or what a run reads or writes.
    package func write(to path: String) throws(Failure) {
        try OutputNames(definition, types: path).check()
        let file = try WrittenFile(path)
        try file.write(Array(try text().utf8))
        try file.finish()
    }
}

/// A reference into another store, as a definition says it.
struct AcrossReference {
    var name: String
    /// The name of the entity, which another definition has.
    var target: String
    /// The attributes that hold the target's identifier, with what each is called there.
    var parts: [(attribute: String, part: String)]

    static func all(of entity: String, in definition: PipelineDefinition) -> [AcrossReference] {
        guard case .object(let members)? = definition.node("entities", entity, "relationships")?.kind else { return [] }
        return members.compactMap { member in
            guard member.value.isTrue("across"), let target = member.value["to"]?.text,
                case .object(let parts)? = member.value["identifier"]?.kind
            else { return nil }
            let attributes = parts.map { part -> (String, String) in
                let name = parts.count == 1 ? member.key : "\(member.key)_\(part.key)"
                return (definition.tree.storeName(name), part.key)
            }
            return AcrossReference(name: member.key, target: target, parts: attributes)
        }
    }
}
