import Sluice
import SluiceRecords

extension Command {
    static let swift = Command(
        name: "swift", arguments: "PIPELINE",
        summary: "write the types of a pipeline's objects for programs in Swift",
        detail: """
            Writes a Swift file with a type for each entity of the pipeline definition PIPELINE:
            programs that import SluiceStore read, query and change the objects of its store by
            them. No store is read. Attributes with "oneOf" are enumerations; all types are Codable.
            With --check, nothing is written: FILE must be what would be.
            """,
        options: [
            Option("output", short: "o", value: "FILE", "write to this file instead of standard output"),
            Option("dates", "moments are of the type Date, not Instant; programs import SluiceDates, too"),
            Option("check", "exit with status 65 if FILE is not up to date; needs --output"),
        ],
        run: { arguments in
            let types = try ProgramTypes(
                readDefinition(arguments.onlyArgument("PIPELINE")), usesDates: arguments.has("dates"))
            guard let output = arguments.output else {
                if arguments.has("check") {
                    throw UsageError("--check needs the file that is looked at: --output FILE")
                }
                try printOutput(types.text())
                return 0
            }
            guard arguments.has("check") else {
                try types.write(to: output)
                return 0
            }
            if try types.isUpToDate(output) { return 0 }
            throw Failure(.data, "\(output) is not what the definition says: write it anew, without --check")
        })
}
