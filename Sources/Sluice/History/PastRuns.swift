import SluiceLoad
import SluiceRecords
import SluiceReport
import SluiceSchema

/// What the ledger says of the runs that a history names.
struct PastRuns {
    private let runs: [Int: LedgerRow]

    /// Of these runs, those that the ledger knows.
    init(_ runs: Set<Int>, _ ledger: any StoreLedger) throws(Failure) {
        var rows: [Int: LedgerRow] = [:]
        for run in runs { rows[run] = try ledger.row(run) }
        self.runs = rows
    }

    /// When a run had ended: RFC 3339, UTC; nil: the ledger has forgotten it, or it is still to come.
    func time(_ run: Int) -> String? { runs[run].flatMap { $0.finished ?? $0.started } }

    /// A run as JSON.
    func json(_ run: Int) -> String {
        JSONText.object([("run", String(run)), ("time", time(run).map(JSONText.quoted) ?? "null")])
    }

    private func source(_ run: Int, _ place: PastPlace) -> LedgerSources.Source? {
        guard let sources = runs[run]?.sources.flatMap(LedgerSources.init(json:))?.sources,
            sources.indices.contains(place.source)
        else { return nil }
        return sources[place.source]
    }

    private func file(_ source: LedgerSources.Source, _ place: PastPlace) -> String {
        source.feed.name(ofFile: place.file)
    }

    /// `file:line:column`, as compilers write it; where the ledger has forgotten the run, the line.
    func text(_ run: Int, _ place: PastPlace) -> String {
        guard let source = source(run, place) else { return "line \(place.line)" }
        return "\(file(source, place).printable):\(place.line):\(place.column)"
    }

    /// Where a record stood, and in which feed, as JSON.
    func json(_ run: Int, _ place: PastPlace) -> String {
        let source = source(run, place)
        return JSONText.object([
            ("source", source.map { JSONText.quoted($0.name) } ?? "null"),
            ("file", source.map { JSONText.quoted(file($0, place)) } ?? "null"),
            ("sha256", source?.sha256.map(JSONText.quoted) ?? "null"), ("line", String(place.line)),
            ("column", String(place.column)), ("offset", String(place.offset)),
        ])
    }
}
