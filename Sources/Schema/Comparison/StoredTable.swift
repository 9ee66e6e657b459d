import SluiceRecords

/// The columns, keys and indexes of a table of a store.
package struct StoredTable {
    package struct Column {
        package var name: String
        package var type: String
        /// The table that it refers to.
        package var references: String?
        /// Its place in the primary key, from 1; 0: it is no part of it.
        package var keyPlace = 0
        /// The collation of the column, if it calls different texts equal.
        package var looseCollation: String?

        package init(
            name: String, type: String, references: String? = nil, keyPlace: Int = 0, looseCollation: String? = nil
        ) {
            self.name = name
            self.type = type
            self.references = references
            self.keyPlace = keyPlace
            self.looseCollation = looseCollation
        }
    }

    package struct Index {
        package var name: String
        package var isUnique: Bool
        /// Whether the index leaves rows out, or holds something else than the plain values of columns.
        package var isPartial: Bool
        package var columns: [String]

        package init(
            name: String, isUnique: Bool, isPartial: Bool, columns: [String]
        ) {
            self.name = name
            self.isUnique = isUnique
            self.isPartial = isPartial
            self.columns = columns
        }

        func isExactly(on names: [String]) -> Bool {
            !isPartial && columns.map(FoldedName.init) == names.map(FoldedName.init)
        }

        package func isUnique(on names: [String]) -> Bool { isUnique && isExactly(on: names) }
    }

    package var name: String
    /// A property that shows that sluice has not made the table, in the words of messages.
    package var foreignSign: String?
    package private(set) var columns: [Column]
    package private(set) var indexes: [Index]
    /// The index of each column by its name: there may be thousands.
    private var places: [FoldedName: Int] = [:]

    package init(name: String, columns: [Column], indexes: [Index]) {
        self.name = name
        self.columns = columns
        self.indexes = indexes
        for (place, column) in columns.enumerated() { places[FoldedName(column.name)] = place }
    }

    /// The columns of the primary key.
    package var key: [String] { columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name) }

    /// The column of the primary key that comes second, or at another place, from 0.
    func keyColumn(_ place: Int) -> String? { columns.first { $0.keyPlace == place + 1 }?.name }

    package func column(_ name: String) -> Column? { places[FoldedName(name)].map { columns[$0] } }

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
    package func hasIndex(on names: [String], unique: Bool) -> Bool {
        indexes.contains { $0.isUnique == unique && $0.isExactly(on: names) }
    }
}
