import SluiceRecords

/// What a store lacks before a model's objects fit into it.
struct MissingParts {
    /// Entities without a table.
    var tables: [Int] = []
    /// Columns that a table lacks.
    var columns: [(entity: Int, column: Schema.Column)] = []
    /// Indexes that an existing table lacks.
    var indexes: [(entity: Int, columns: [String])] = []
    /// Link tables that the store lacks.
    var linkTables: [Schema.LinkTable] = []
    /// Link tables that are there, and lack the index by which links are found from their targets.
    var linkIndexes: [Schema.LinkTable] = []
    /// What links have of their own that their table lacks.
    var linkColumns: [(table: Schema.LinkTable, value: Attribute)] = []
    /// References of existing tables that a server knows nothing of.
    var foreignKeys: [ForeignKey] = []

    /// That a column of a table refers to the objects of another.
    struct ForeignKey {
        var table: String
        var column: String
        var target: String
    }

    /// Whether objects fit: they do without foreign keys.
    var isEmpty: Bool {
        tables.isEmpty && columns.isEmpty && indexes.isEmpty && linkTables.isEmpty && linkIndexes.isEmpty
            && linkColumns.isEmpty
    }

    static func += (parts: inout MissingParts, others: MissingParts) {
        parts.tables += others.tables
        parts.columns += others.columns
        parts.indexes += others.indexes
        parts.linkTables += others.linkTables
        parts.linkIndexes += others.linkIndexes
        parts.linkColumns += others.linkColumns
        parts.foreignKeys += others.foreignKeys
    }
}
