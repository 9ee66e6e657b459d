import Sluice
import SluiceRecords

/// The page of the manual of a command; nil: of `sluice` as a whole.
func manualPage(_ name: String?) throws(UsageError) -> String {
    guard let name else { return topPage }
    guard let command = Command.all.first(where: { $0.name.isIdentical(to: name) }) else {
        throw UsageError(unknownCommand: name)
    }
    return command.manualPage
}

extension Command {
    fileprivate var manualPage: String {
        var page = Roff(title: "sluice-\(name)")
        page.section("Name", "sluice-\(name) \\- \(Roff.text(summary))")
        page.section("Synopsis", synopsis)
        page.section("Description", Roff.text(detail.replacingExactly("\n", with: " ")))
        page.section("Options", list: (options + [Command.help]).map { ($0.manualTerm, Roff.text($0.help)) })
        page.section("Exit status", "0 where all went well; each other status is explained in \\fBsluice\\fR(1).")
        page.section("See also", seeAlso(Command.all.map { "sluice-\($0.name)" }.filter { $0 != "sluice-\(name)" }))
        return page.source
    }

    private var synopsis: String {
        "\\fBsluice \(name)\\fR [\\fIOPTION\\fR]... \(Roff.placeholders(arguments))"
    }
}

extension Option {
    /// `-q, --quiet`, `--store FILE`.
    fileprivate var manualTerm: String {
        let short = short.map { "\\fB\\-\($0)\\fR, " } ?? ""
        let value = value.map { " \(Roff.placeholders($0))" } ?? ""
        return "\(short)\\fB\(Roff.text("--\(name)"))\\fR\(value)"
    }
}

private var topPage: String {
    var page = Roff(title: "sluice")
    page.section("Name", "sluice \\- import JSON and CSV feeds into SQLite or PostgreSQL")
    page.section("Synopsis", "\\fBsluice\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... \\fIARGUMENT\\fR...")
    page.section(
        "Description",
        """
        Streams feeds of any size, JSON, NDJSON, CSV and TSV, from files, archives, web services, buckets, SFTP,
        commands or standard input, and makes their records typed objects of an SQLite or PostgreSQL database: created
        or updated, without duplicates, with relationships resolved whatever the order of the records. A pipeline
        definition says which records become which objects. A run is all or nothing, and its report says what it did,
        and what is wrong with the feed, at which line and column.
        """)
    page.section(
        "Commands", list: Command.all.map { ("\\fBsluice\\-\($0.name)\\fR(1)", Roff.text($0.summary)) })
    page.section(
        "Options", list: [Command.help, Command.version].map { ($0.manualTerm, Roff.text($0.help)) })
    page.section(
        "Exit status",
        list: [("0", "done, within the limits")]
            + Failure.Kind.allCases.map { (String($0.rawValue), Roff.text($0.meaning)) })
    page.section("Environment", list: variables.map { ("\\fB\($0)\\fR", Roff.text($1)) })
    page.section("Files", list: files.map { (Roff.placeholders(Roff.text($0)), Roff.text($1)) })
    page.section("See also", seeAlso(Command.all.map { "sluice-\($0.name)" }))
    return page.source
}

private func seeAlso(_ names: [String]) -> String {
    (["sluice"] + names).map { "\\fB\(Roff.text($0))\\fR(1)" }.joined(separator: ",\n")
        + "\n.PP\nThe pipeline definition, the store, the report and nightly runs are explained in\n"
        + "\\fI/usr/share/doc/sluice/\\fR."
}

private let variables = [
    ("TMPDIR", "the folder of temporary files; /var/tmp where it is not set"),
    ("SOURCE_DATE_EPOCH", "where it is set, a seed is built as if at that time, in seconds since 1970"),
    ("NO_COLOR", "where it is set and not empty, the report on a terminal has no colours"),
]

private let files = [
    ("STORE.sluice-lock", "says which run holds the store; free as soon as its process has ended"),
    ("STORE.sluice-new", "a new store while its first run goes on"),
    ("STORE.sluice-seed, STORE.sluice-seed.part", "a seed while it is installed, and what has come of its download"),
    ("STORE-wal, STORE-shm", "belong to the store, as SQLite has it"),
    ("/usr/share/sluice/pipeline.schema.json", "the JSON Schema of a pipeline definition, for editors"),
]
