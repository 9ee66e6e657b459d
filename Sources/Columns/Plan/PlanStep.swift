import SluiceRecords

/// A step of a plan: a query whose result is a table that later steps read.
package struct PlanStep: Sendable {
    /// What it is for.
    package enum Kind: String, Sendable, CaseIterable {
        /// Columns of tables that come from files: the query is an empty table with them.
        case input
        case positions, copies, found, absent, needs, objects, objectIDs, stubs, links, waiting, counts, limits,
            findings
        case snapshot
    }

    package var kind: Kind
    /// Tables of earlier steps, or that the runner provides.
    package var reads: [String]
    /// The table.
    package var writes: String
    /// A query.
    package var sql: String
    /// Whether the table need not be kept: it is cheaper to ask again.
    package var isView: Bool

    /// One line of JSON.
    package var json: String {
        let members = [
            ("step", JSONText.quoted(kind.rawValue)), ("reads", JSONText.array(reads.map(JSONText.quoted))),
            ("writes", JSONText.quoted(writes)), ("sql", JSONText.quoted(sql)),
        ]
        return JSONText.object(members + (isView ? [("view", "true")] : []))
    }
}

/// The steps of a plan, as they are written one after the other.
final class PlanWriter {
    let dialect: SQLDialect
    private(set) var steps: [PlanStep] = []
    // By bytes: two spellings of one letter are two names.
    private var tables: Set<ExactText> = []

    init(_ dialect: SQLDialect) { self.dialect = dialect }

    /// Adds a step; what it reads is seen in its query.
    func add(_ kind: PlanStep.Kind, _ table: String, view: Bool = false, _ sql: String) {
        let named = Set(dialect.tables(in: sql))
        let known = SetPlan.provided.map(\.table) + steps.map(\.writes)
        let reads = known.filter { named.contains(ExactText($0)) }
        steps.append(PlanStep(kind: kind, reads: reads, writes: table, sql: sql, isView: view))
        tables.insert(ExactText(table))
    }

    /// Tables of earlier steps.
    func has(_ table: String) -> Bool { tables.contains(ExactText(table)) }

    /// A table that is filled from files, where there are any.
    func input(_ table: String, _ columns: [(name: String, type: String)]) {
        let nulls = columns.map { "CAST(NULL AS \($0.type)) AS \(dialect.name($0.name))" }
        steps.append(
            PlanStep(
                kind: .input, reads: [], writes: table, sql: "SELECT \(nulls.joined(separator: ", ")) WHERE 1 = 0",
                isView: true))
    }
}
