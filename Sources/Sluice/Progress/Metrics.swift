import SluiceRecords
import SluiceReport

/// The text format of Prometheus: <https://prometheus.io/docs/instrumenting/exposition_formats/>.
struct Metrics {
    private(set) var text = ""

    /// A metric and its samples; one without samples is left out.
    ///
    /// - Parameter samples: labels and value of each.
    mutating func add(_ name: String, _ help: String, _ samples: [(labels: [(String, String)], value: Double)]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
        for sample in samples { text += "\(Metrics.series(name, sample.labels)) \(Metrics.shown(sample.value))\n" }
    }

    /// A name with its labels, whose values hold any characters that can be seen.
    static func series(_ name: String, _ labels: [(String, String)]) -> String {
        "\(name){\(labels.map { "\($0.0)=\"\(escaped($0.1.printable))\"" }.joined(separator: ","))}"
    }

    static func escaped(_ value: String) -> String {
        value.unicodeScalars.reduce(into: "") { text, character in
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(character)
            }
        }
    }

    /// A number as it was written by ``add(_:_:_:)``, from a text of such metrics.
    static func value(of name: String, _ labels: [(String, String)], in text: String) -> Double? {
        let start = series(name, labels) + " "
        // Not by characters: a line may begin with a mark that Swift would take together with the line break.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
        guard let line = lines.last(where: { $0.starts(with: start.utf8) }) else { return nil }
        return Double(String(decoding: line.dropFirst(start.utf8.count), as: UTF8.self))
    }

    /// A metric of the run as a whole; without a value, it is left out.
    mutating func add(_ name: String, _ help: String, _ own: [(String, String)], _ value: Double?) {
        add(name, help, value.map { [(own, $0)] } ?? [])
    }

    private static func shown(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? String((value * 1000).rounded() / 1000)
    }
}

extension RunReport {
    /// The metrics of the run.
    ///
    /// - Parameters:
    ///   - exitStatus: of the command.
    ///   - earlier: the metrics of the run before, which know when one succeeded last.
    package func metrics(exitStatus: Int32, earlier: String) -> String {
        var metrics = Metrics()
        let own = metrics.addTimes(
            task.pipeline, started: time.started, finished: time.finished, seconds: time.seconds)
        // The store of an unchanged run is as the run that loaded the feed has left it.
        let loaded = outcome.status == .unchanged ? self.earlier.load?.entities ?? [] : entities
        let findings = outcome.status == .unchanged ? self.earlier.load?.findings : found.counts
        // Where a run has failed, a replay of its rejects loads nothing else of its feed.
        let isSucceeded = outcome.status == .succeeded && !task.replaysRejects
        let hasSucceeded = isSucceeded || outcome.status == .unchanged
        let lastSuccess = max(
            Metrics.value(of: Metrics.lastSuccess, own, in: earlier) ?? 0,
            self.earlier.standing?.succeeded?.finished.unixSeconds ?? 0)
        let lastLoad = Metrics.value(of: Metrics.lastLoad, own, in: earlier) ?? self.earlier.load?.finished.unixSeconds
        metrics.addOutcome(
            own, lastSuccess: hasSucceeded ? time.finished.unixSeconds : lastSuccess,
            lastLoad: isSucceeded ? time.finished.unixSeconds : lastLoad, outcome.status, exitStatus)
        metrics.add("sluice_run_number", "The number of the last run in the ledger.", own, run.map(Double.init))
        metrics.add(
            "sluice_run_source_bytes", "Bytes of the uncompressed feed.",
            sources.map { (own + [("source", $0.name)], Double($0.bytes)) })
        metrics.add("sluice_run_records", "Records of the last run by what became of them.", loaded.flatMap(outcomes))
        metrics.add(
            "sluice_run_deleted", "Objects that the last run deleted.",
            loaded.map { (own + [("entity", $0.name)], Double(saved($0.counts).deleted)) })
        metrics.add(
            "sluice_run_references", "References of the last run by what became of them.", loaded.flatMap(references))
        metrics.add(
            "sluice_run_findings", "Findings of the last run.",
            findings.map { counts in
                Finding.Kind.allCases.map { (own + [("kind", $0.rawValue)], Double(counts[$0] ?? 0)) }
            } ?? [])
        metrics.add(
            "sluice_run_peak_memory_bytes", "The most memory that the last run had.", own, Double(ProcessMemory.peak))
        return metrics.text
    }

    private func outcomes(_ entity: EntityFacts) -> [(labels: [(String, String)], value: Double)] {
        let (counts, done) = (saved(entity.counts), entity.counts)
        let outcomes = [
            ("created", counts.created), ("updated", counts.updated), ("unchanged", counts.unchanged),
            ("to_create", done.created - counts.created), ("to_update", done.updated - counts.updated),
            ("rejected", counts.rejected), ("skipped", counts.skipped), ("identical", counts.identical),
            ("conflicting", counts.conflicting),
        ]
        return outcomes.map { name, count in
            ([("pipeline", task.pipeline), ("entity", entity.name), ("outcome", name)], Double(count))
        }
    }

    private func references(_ entity: EntityFacts) -> [(labels: [(String, String)], value: Double)] {
        zip(entity.relationships, entity.counts.relationships).flatMap { name, counts in
            RelationshipCounts.reported.map { outcome, path in
                let labels = [
                    ("pipeline", task.pipeline), ("entity", entity.name), ("relationship", name), ("outcome", outcome),
                ]
                return (labels, Double(counts[keyPath: path]))
            }
        }
    }
}
