import SluiceDefinition
import SluiceExtract
import SluiceRecords

extension RunReport {
    /// What a run has asked its store before it saved, and how many flaws the answer had.
    public struct CheckFacts: Sendable, Hashable {
        /// Its name in the definition.
        public var name: String
        /// The query.
        public var sql: String
        /// The entity whose objects its rows are about.
        public var entity: String?
        /// How many rows it may have; nil: any number.
        public var limit: Int?
        /// Whether more rows than that fail no run.
        public var isWarning: Bool
        /// How many rows it had; nil: it took too long.
        public var found: Int?
        /// How long it took.
        public var seconds: Double
        /// What it found in runs that succeeded before, the last one last.
        public var earlier: [Earlier] = []

        /// What an earlier run found.
        public struct Earlier: Sendable, Hashable {
            /// Its number in the ledger.
            public var run: Int
            /// How many rows.
            public var found: Int

            package init(run: Int, found: Int) { (self.run, self.found) = (run, found) }
        }

        /// - Parameters:
        ///   - found: how many rows; nil: it took too long.
        ///   - seconds: how long it took.
        package init(_ question: Question, entity: String?, found: Int?, seconds: Double) {
            (name, sql, self.entity) = (question.name, question.sql, entity)
            (limit, isWarning, self.found) = (question.limit, question.isWarning, found)
            self.seconds = (seconds * 1000).rounded() / 1000
        }

        /// Whether there are more rows than there may be.
        public var isExceeded: Bool {
            guard let found, let limit else { return false }
            return found > limit
        }

        /// Whether a run fails for it.
        package var isFailing: Bool { !isWarning && (isExceeded || found == nil) }

        /// How many rows it may have, and what becomes of a run with more, in words.
        package var rule: String {
            guard let limit else { return "any number" }
            return "at most \(grouped(limit))" + (isWarning ? ", or a warning" : "")
        }

        /// How many rows it had, in words.
        package var answer: String {
            guard let found else { return "too slow" }
            return found == 1 ? "1 row" : "\(grouped(found)) rows"
        }
    }
}

extension RunReport.CheckFacts {
    /// As the report has it.
    var json: String { JSONText.object(members) }

    /// With its name, and some of its rows.
    package func json(rows: [Finding]) -> String {
        JSONText.object(
            [("name", JSONText.quoted(name))] + members + [("rows", JSONText.array(rows.map { $0.json([]) }))])
    }

    private var members: [(String, String)] {
        let earlier = earlier.map { JSONText.object([("run", String($0.run)), ("found", String($0.found))]) }
        return [
            ("sql", JSONText.quoted(sql)), ("entity", entity.map(JSONText.quoted) ?? "null"),
            ("limit", limit.map(String.init) ?? "null"), ("severity", isWarning ? "\"warning\"" : "\"error\""),
            ("found", found.map(String.init) ?? "null"), ("seconds", String(seconds)),
            ("earlier", JSONText.array(earlier)),
        ]
    }

    /// As a report has it that was read.
    init(name: String, _ node: JSONNode) {
        var question = Question(name: name, sql: node["sql"]?.text ?? "")
        question.limit = node["limit"]?.integer
        question.isWarning = node["severity"]?.text == "warning"
        self.init(
            question, entity: node["entity"]?.text, found: node["found"]?.integer, seconds: node["seconds"]?.real ?? 0)
        earlier = (node["earlier"]?.list ?? []).map { Earlier(run: $0.count("run"), found: $0.count("found")) }
    }
}
