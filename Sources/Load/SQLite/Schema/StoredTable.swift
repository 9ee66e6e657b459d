import SluiceRecords

/// What a table of a store is like.
struct StoredTable {
    struct Column {
        var name: String
        var type: String
        /// The table that it refers to.
        var references: String?
        /// Its place in the primary key, from 1; 0: it is no part of it.
        var keyPlace = 0
    }

    struct Index {
        var name: String
        var isUnique: Bool
        var isPartial: Bool
        var columns: [String]

        func isExactly(on names: [String]) -> Bool {
            !isPartial && columns.map(FoldedName.init) == names.map(FoldedName.init)
        }

        func isUnique(on names: [String]) -> Bool { isUnique && isExactly(on: names) }
    }

    var name: String
    var isStrict: Bool
    private(set) var columns: [Column]
    private(set) var indexes: [Index]
    /// Where a column is. There may be thousands.
    private var places: [FoldedName: Int] = [:]

    /// What a store has under a name of a table.
    struct Listed {
        var name: String
        var type: String
        var isStrict: Bool
    }

    init(name: String, columns: [Column], indexes: [Index]) {
        self.name = name
        self.columns = columns
        self.indexes = indexes
        isStrict = true
        for (place, column) in columns.enumerated() { places[FoldedName(column.name)] = place }
    }

    /// All tables and views. To find one, SQLite looks through all: where many are asked for, they are read once.
    static func list(_ connection: Connection) throws(Failure) -> [FoldedName: Listed] {
        let list = try connection.prepare("SELECT name, type, strict FROM pragma_table_list WHERE schema = 'main'")
        var listed: [FoldedName: Listed] = [:]
        while try list.step() {
            let name = list.text(0)
            listed[FoldedName(name)] = Listed(name: name, type: list.text(1), isStrict: list.integer(2) == 1)
        }
        return listed
    }

    /// The table of that name (SQLite folds the case of ASCII letters), or nil.
    init?(_ connection: Connection, _ name: String) throws(Failure) {
        try self.init(connection, name, try StoredTable.list(connection))
    }

    /// The table of that name among those that there are, or nil.
    init?(_ connection: Connection, _ name: String, _ listed: [FoldedName: Listed]) throws(Failure) {
        guard let found = listed[FoldedName(name)] else { return nil }
        let type = found.type
        isStrict = found.isStrict
        self.name = found.name
        guard type == "table" else {
            throw Failure(
                .definition, "the store \(connection.path) has a \(type) named \(name), where a table is needed")
        }
        columns = try StoredTable.columns(connection, name)
        indexes = try StoredTable.indexes(connection, name)
        for (place, column) in columns.enumerated() { places[FoldedName(column.name)] = place }
    }

    /// The column of the primary key that comes second, or at another place, from 0.
    func keyColumn(_ place: Int) -> String? { columns.first { $0.keyPlace == place + 1 }?.name }

    func column(_ name: String) -> Column? { places[FoldedName(name)].map { columns[$0] } }

    // MARK: As it will be

    /// Says that a column has another name.
    mutating func renameColumn(_ old: String, _ new: String) {
        guard let place = places.removeValue(forKey: FoldedName(old)) else { return }
        places[FoldedName(new)] = place
        columns[place].name = new
        for index in indexes.indices {
            indexes[index].columns = indexes[index].columns.map { $0.isSameName(as: old) ? new : $0 }
        }
    }

    /// Says that tables to which columns refer have other names.
    mutating func renameReferences(_ renamed: (String) -> String) {
        for place in columns.indices {
            if let target = columns[place].references { columns[place].references = renamed(target) }
        }
    }

    /// Whether an index has exactly these columns, in this order.
    func hasIndex(on names: [String], unique: Bool) -> Bool {
        indexes.contains { $0.isUnique == unique && $0.isExactly(on: names) }
    }

    private static func columns(_ connection: Connection, _ table: String) throws(Failure) -> [Column] {
        let statement = try connection.prepare(
            """
            SELECT c.name, c.type, (SELECT k."table" FROM pragma_foreign_key_list(?1) k WHERE k."from" = c.name),
            c.pk
            FROM pragma_table_xinfo(?1) c ORDER BY c.cid
            """)
        statement.bind(1, table)
        var columns: [Column] = []
        while try statement.step() {
            columns.append(
                Column(
                    name: statement.text(0), type: statement.text(1),
                    references: statement.isNull(2) ? nil : statement.text(2), keyPlace: Int(statement.integer(3))))
        }
        return columns
    }

    private static func indexes(_ connection: Connection, _ table: String) throws(Failure) -> [Index] {
        let statement = try connection.prepare("SELECT name, \"unique\", partial FROM pragma_index_list(?)")
        statement.bind(1, table)
        var indexes: [Index] = []
        while try statement.step() {
            let columns = try indexColumns(connection, statement.text(0))
            indexes.append(
                Index(
                    name: statement.text(0), isUnique: statement.integer(1) == 1,
                    isPartial: statement.integer(2) == 1, columns: columns))
        }
        return indexes
    }

    private static func indexColumns(_ connection: Connection, _ index: String) throws(Failure) -> [String] {
        let statement = try connection.prepare("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
        statement.bind(1, index)
        var columns: [String] = []
        while try statement.step() { columns.append(statement.text(0)) }
        return columns
    }
}
