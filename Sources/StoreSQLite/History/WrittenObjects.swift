import CSluiceSQLite
import SluiceRecords

/// Which objects a run changes and deletes, as SQLite reports each row: only an object that is written more than once
/// can be the same at the end as at the beginning.
///
/// It notes at most so many that they take 8 MiB.
@safe
final class WrittenObjects {
    private static let most = 1 << 20

    private struct Table {
        let name: String
        var objects: [Int64] = []
    }

    private let connection: Connection
    private var tables: [Table]
    /// The table of the last row: a statement writes many of one.
    private var last = 0
    private var count = 0
    private var isNoting: Bool

    /// - Parameter names: the tables to which nobody has written since the last run.
    init(_ names: [String], _ connection: Connection) {
        self.connection = connection
        tables = names.map { Table(name: $0) }
        isNoting = !names.isEmpty
        if names.isEmpty { return }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe sqlite3_update_hook(
            connection.handle,
            { context, operation, database, table, row in
                guard operation != SQLITE_INSERT, let context = unsafe context, let table = unsafe table else { return }
                // Tables of other databases may be called alike.
                guard unsafe sqlite3_stricmp(database, "main") == 0 else { return }
                unsafe Unmanaged<WrittenObjects>.fromOpaque(context).takeUnretainedValue().note(row, of: table)
            }, context)
    }

    // SQLite must not call this object when it is gone.
    deinit { end() }

    /// Ends the noting.
    func end() {
        if isNoting, !connection.isClosed { _ = unsafe sqlite3_update_hook(connection.handle, nil, nil) }
        isNoting = false
    }

    private func note(_ object: Int64, of table: UnsafePointer<CChar>) {
        if unsafe !isNamed(table, last) {
            var place = 0
            while place < tables.count, unsafe !isNamed(table, place) { place += 1 }
            guard place < tables.count else { return }
            last = place
        }
        count += 1
        if count <= WrittenObjects.most { tables[last].objects.append(object) }
    }

    // This must not capture the tables in a closure: while one lives, each row that is noted would copy all rows noted
    // so far.
    private func isNamed(_ name: UnsafePointer<CChar>, _ place: Int) -> Bool {
        unsafe sqlite3_stricmp(name, tables[place].name) == 0
    }

    /// The objects of a table that were written more than once; nil: that is not known.
    func writtenAgain(in table: String) -> [Int64]? {
        guard count <= WrittenObjects.most, let written = tables.first(where: { $0.name.isSameName(as: table) }) else {
            return nil
        }
        let objects = written.objects.sorted()
        var again: [Int64] = []
        for (object, next) in zip(objects, objects.dropFirst()) where object == next && again.last != object {
            again.append(object)
        }
        return again
    }
}
