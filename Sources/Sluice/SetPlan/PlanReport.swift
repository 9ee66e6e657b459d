import SluiceDefinition
import SluicePlan
import SluicePosix
import SluiceRecords
import SluiceReport

/// The report of a plan's run, which its runner has put together.
package enum PlanReport {
    /// As `sluice run` shows its own.
    ///
    /// - Parameter file: JSON, in the form of a run's report.
    package static func text(_ file: String, colours: Bool, fitsScreen: Bool) throws(Failure) -> String {
        let text = try DefinitionFile.read(file)
        guard let report = RunReport(json: String(decoding: text, as: UTF8.self), sources: nil) else {
            throw Failure(.data, "\(file) is no report of a run")
        }
        return report.text(colours: colours, fitsScreen: fitsScreen)
    }
}

/// The engines that plans are for.
package enum PlanDialect {
    package static let names = SQLDialect.allCases.map(\.rawValue)
}

extension PipelineDefinition {
    /// The plan in the SQL of an engine, see ``PlanDialect/names``.
    package func plan(named dialect: String) throws(DefinitionProblems) -> String {
        try plan(SQLDialect(rawValue: dialect) ?? .duckdb)
    }
}
