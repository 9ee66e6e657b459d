import SluiceDefinition
import SluiceExtract
import SluiceRecords
import SluiceTransform

extension PipelineDefinition {
    /// How the definition is carried out: the plan of each entity, and what the reader of each source looks for. For
    /// developers; its form may change.
    package func describePlan() throws(Failure) -> String {
        let automata = sources.enumerated().map { index, source in
            "source \(source.name)\n" + describeAutomaton(model, source: index)
        }
        return ([try SluiceTransform.describePlan(model)] + automata).joined(separator: "\n")
    }
}
