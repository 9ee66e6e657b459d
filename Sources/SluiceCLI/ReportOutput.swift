import Sluice
import SluiceRecords

/// What standard output shows of the reports of one command.
struct ReportOutput {
    private enum Form { case nothing, text, json }

    private let form: Form
    /// Whether only a report is shown that has something new.
    private let isOfNews: Bool
    private var count = 0

    /// - Throws: where the options contradict one another.
    init(_ arguments: Arguments) throws(UsageError) {
        let format = try arguments.choice("format", ["text", "json"])
        let when = try arguments.choice("show", ["always", "news", "never"])
        isOfNews = when == "news"
        let output = ["findings", "report"].filter { arguments.last($0) == "-" }.map { "--\($0) -" }
        if output.count > 1 { throw UsageError("standard output takes one of \(output.joined(separator: " and "))") }
        if let when, when != "never", arguments.has("quiet") {
            throw UsageError("--quiet shows no report, and --show \(when) does: it takes one of them")
        }
        // Findings that another program reads must not be mixed with anything.
        if arguments.last("findings") == "-" {
            if let format { throw UsageError("standard output takes one of --findings - and --format \(format)") }
            if let when, when != "never" {
                throw UsageError("standard output takes one of --findings - and --show \(when)")
            }
            form = .nothing
        } else if arguments.has("quiet") || when == "never" {
            form = .nothing
        } else {
            form = format == "json" ? .json : .text
        }
    }

    var isText: Bool { form == .text }
    var isJSON: Bool { form == .json }

    /// Whether a report is one of those that are shown.
    func shows(_ report: RunReport) -> Bool { form != .nothing && (!isOfNews || report.hasNews) }

    /// Shows a report; an empty line is between two texts.
    mutating func show(_ report: RunReport) throws(Failure) {
        if isJSON { return try printOutput(report.json) }
        try printOutput((count > 0 ? "\n" : "") + report.text(colours: outputHasColours, fitsScreen: outputIsTerminal))
        count += 1
    }
}
