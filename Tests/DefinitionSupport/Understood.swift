import SluiceDefinition
import SluiceRecords

/// What the other modules would check, so far as the cases need it.
package let someChecks = DefinitionChecks(
    pattern: { $0 == "(" ? "the pattern is wrong" : nil },
    timeZone: { $0 == "Mars/Olympus" ? "there is no time zone \($0)" : nil },
    format: { $0.format == "%Q" || $0.format == "unix" && $0.type == .date ? "the format is wrong" : nil },
    literal: { literal, conversion in
        switch (literal, conversion.type) {
        case (.number, .integer), (_, .text), (_, .json): nil
        default: "integer expected"
        }
    })

extension PipelineDefinition {
    /// Reads a definition for its form and meaning.
    package static func understood(
        _ text: String, file: String = "x.json", _ environment: [String: String] = [:]
    ) throws(DefinitionProblems) -> PipelineDefinition {
        try read(Array(text.utf8), file: file, environment: environment, checks: someChecks)
    }
}

/// What a body complains about.
package func problems(_ body: () throws(DefinitionProblems) -> Void) -> [String] {
    do throws(DefinitionProblems) {
        try body()
        return []
    } catch {
        return error.failures.map(\.description)
    }
}
