import Extract
import Records
import Transform

extension PipelineDefinition {
    /// How the definition is carried out: the plan of each entity, and what the reader of each source looks for. For
    /// developers; its form may change.
    public func describePlan() throws(Failure) -> String {
        let automata = sources.enumerated().map { index, source in
            "source \(source.name)\n" + describeAutomaton(model, source: index)
        }
        return ([try Transform.describePlan(model)] + automata).joined(separator: "\n")
    }
}
