import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

extension StoreConnection: ReadConnection {
    package var storeName: String { target.path }

    package func reading<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try transaction("BEGIN", body)
    }

    package func query(
        _ sql: String, _ values: [FormedValue], each: (borrowing StoreRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        guard try statement(sql).isReading else {
            throw StoreError(
                .statement, "this is no query: objects are written by update, insert, delete and save", sql: sql)
        }
        try run(sql, values.map { .value($0.value) }, each: each)
    }

    package func look(
        up key: LookUps.Key, _ lookUps: LookUps, _ values: [SQLValue], in seed: String?,
        found: (borrowing StoreRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        try run(lookUps.sql(key, in: seed), values.map { .value($0) }) { row throws(StoreError) in
            try found(row)
            return false
        }
    }

    package func tables(among names: [String]) throws(StoreError) -> Set<ExactText> {
        var found: Set<ExactText> = []
        let list = Fragment(list: names.map { .text($0) })
        try run("SELECT name FROM main.sqlite_schema WHERE name IN " + list) { row throws(StoreError) in
            found.insert(ExactText(try row.value(0)))
            return true
        }
        return found
    }

    package func version() throws(StoreError) -> Int64? {
        guard case .integer(let version)? = try first("PRAGMA main.data_version") else {
            throw StoreError(.io, "the store \(target.path) has no version")
        }
        return version
    }
}
