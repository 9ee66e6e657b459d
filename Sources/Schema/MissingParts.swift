import SluiceRecords

/// The parts that a store must still get before a model's objects fit into it.
package struct MissingParts {
    /// Entities without a table.
    package var tables: [Int] = []
    /// Columns that a table lacks.
    package var columns: [(entity: Int, column: Schema.Column)] = []
    /// Indexes that an existing table lacks.
    package var indexes: [(entity: Int, columns: [String])] = []
    /// Link tables that the store lacks.
    package var linkTables: [Schema.LinkTable] = []
    /// Link tables that are there, and lack the index by which links are found from their targets.
    package var linkIndexes: [Schema.LinkTable] = []
    /// Columns of the links' own values that their table lacks.
    package var linkColumns: [(table: Schema.LinkTable, value: Attribute)] = []
    /// Foreign keys of existing tables that a server lacks.
    package var foreignKeys: [ForeignKey] = []

    /// A foreign key: a column of a table refers to the objects of another.
    package struct ForeignKey {
        package var table: String
        package var column: String
        package var target: String

        package init(
            table: String, column: String, target: String
        ) {
            self.table = table
            self.column = column
            self.target = target
        }
    }

    /// Whether objects fit: they do without foreign keys.
    package var isEmpty: Bool {
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
