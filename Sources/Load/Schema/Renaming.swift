import SluiceRecords

/// What of a store must be renamed before a model's objects fit into it.
struct Renaming {
    struct Move {
        var from: String
        var to: String
    }

    /// A column, of a table that has its new name already.
    struct ColumnMove {
        var table: String
        var from: String
        var to: String
    }

    /// A relationship, of an entity that has its new name already.
    struct RelationshipMove {
        var entity: String
        var from: String
        var to: String
    }

    /// The tables of entities: all at once, so that two may swap their names.
    var tables: [Move] = []
    /// Link tables, after those.
    var linkTables: [Move] = []
    var columns: [ColumnMove] = []
    var entities: [Move] = []
    var relationships: [RelationshipMove] = []
    /// The columns of users' tables that hold names of entities.
    var entityColumns: [(table: String, column: String)] = []

    var isEmpty: Bool {
        tables.isEmpty && linkTables.isEmpty && columns.isEmpty && entities.isEmpty && relationships.isEmpty
    }

    /// Something that has another name from now on; nil: nothing has.
    var firstOldName: String? {
        (tables + linkTables).first.map { "the table \($0.to)" }
            ?? columns.first.map { "the column \($0.table).\($0.to)" }
            ?? entities.first.map { "the entity \($0.to)" }
            ?? relationships.first.map { "the relationship \($0.entity).\($0.to)" }
    }

    /// What the store calls a table of an entity as yet.
    func nameBefore(table: String) -> String { tables.first { $0.to.isSameName(as: table) }?.from ?? table }

    /// What the store calls a column as yet, of a table by its new name.
    func nameBefore(column: String, of table: String) -> String {
        columns.first { $0.table.isSameName(as: table) && $0.to.isSameName(as: column) }?.from ?? column
    }
}
