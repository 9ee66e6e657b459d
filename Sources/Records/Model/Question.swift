/// What a run asks its store when all is loaded and nothing is saved yet: one of a definition's `checks`. Each row of
/// the answer is a flaw.
public struct Question: Sendable, Hashable {
    /// Its name in the definition, in findings and in reports.
    public var name: String
    /// One query, in the store's own SQL.
    public var sql: String
    /// The index of the entity whose objects the rows are about; nil: they are about none.
    public var entity: Int?
    /// How many rows it may have; nil: any number.
    public var limit: Int?
    /// Whether more rows than `limit` are told, and fail no run.
    public var isWarning = false
    /// After how many seconds it is given up.
    public var timeout = Question.defaultTimeout

    /// A question that may have no rows.
    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
        limit = 0
    }

    package static let defaultTimeout = 60.0
    /// The schema by which a query names tables as they were before the run.
    package static let previous = "previous"

    /// Where a definition says something of it.
    package func keys(_ key: String) -> [String] { ["checks", name, key] }
}
