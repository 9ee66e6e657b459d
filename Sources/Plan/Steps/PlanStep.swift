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
    /// Whether the table need not be kept: it is cheaper to query it again.
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
    private let dialect: SQLDialect
    private(set) var steps: [PlanStep] = []
    // By bytes: two spellings of one letter are two names.
    private var tables: [ExactText: Relation] = [:]
    /// In their order.
    private var names: [String] = []
    /// The stage that is written, and which stage gives each table; the tables of the runner are of none.
    private var stage: PlanStage?
    /// By stage: those whose tables it has read.
    private(set) var read: [PlanStage: Set<PlanStage>] = [:]
    private var givers: [ExactText: PlanStage] = [:]

    init(_ dialect: SQLDialect) {
        self.dialect = dialect
        for input in SetPlan.inputs { keep(input.table, input.columns) }
    }

    /// Begins a stage, which may read the tables of those that it needs, and its own.
    func begin(_ stage: PlanStage) { self.stage = stage }

    /// A table of the runner, of this stage, or of one that it needs.
    func rows(_ table: String) -> Row {
        guard let relation = tables[ExactText(table)] else { preconditionFailure("\(table) is not there yet") }
        noteRead(table)
        return Row(relation)
    }

    private func noteRead(_ table: String) {
        guard let stage, let giver = givers[ExactText(table)], giver != stage else { return }
        assert(stage.needs.contains(giver), "\(stage) does not need \(giver), which gives \(table)")
        read[stage, default: []].insert(giver)
    }

    func has(_ table: String) -> Bool {
        noteRead(table)
        return tables[ExactText(table)] != nil
    }

    func add(_ kind: PlanStep.Kind, _ table: String, view: Bool = false, _ relation: Relation) {
        var printer = SQLPrinter(dialect)
        let sql = printer.query(relation)
        let reads = names.filter { printer.tables.contains(ExactText($0)) }
        steps.append(PlanStep(kind: kind, reads: reads, writes: table, sql: sql, isView: view))
        keep(table, relation.columns)
    }

    private func keep(_ table: String, _ columns: [PlanColumn]) {
        tables[ExactText(table)] = .table(table, columns)
        givers[ExactText(table)] = stage
        names.append(table)
    }
}
