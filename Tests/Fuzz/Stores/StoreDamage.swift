import Foundation

/// Damages that an input asks for, one after the other: to rows, to the schema, and to bytes of pages.
struct StoreDamage {
    private var rest: ArraySlice<UInt8>
    private let tables: [LooseStore.Table]

    /// - Parameter tables: what a sound store has.
    init(_ input: ArraySlice<UInt8>, _ tables: [LooseStore.Table]) {
        rest = input
        self.tables = tables
    }

    private struct Patch {
        var place: Int
        var bytes: [UInt8]
    }

    consuming func apply(to path: String) {
        var (statements, patches) = ([String](), [Patch]())
        // As many as one can think about.
        for _ in 0..<16 {
            guard let kind = rest.popFirst() else { break }
            switch kind % 5 {
            case 0, 1: patches.append(patch())
            case 2: statements.append(cell())
            case 3: statements.append(row())
            default: statements.append(schema())
            }
        }
        if !statements.isEmpty { LooseStore.execute(statements, in: path) }
        if !patches.isEmpty { write(patches, to: path) }
    }

    private mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

    private mutating func choice<Value>(of values: [Value], or fallback: Value) -> Value {
        let index = byte()
        return values.isEmpty ? fallback : values[index % values.count]
    }

    // MARK: Pages

    private mutating func patch() -> Patch {
        let page = byte()
        // The beginning of a page says what it is.
        let isHeader = byte() % 2 == 0
        let place = isHeader ? byte() % 128 : byte() << 8 | byte()
        let count = 1 + byte() % 8
        let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: byte()) }
        return Patch(place: page << 12 | place & 0xfff, bytes: bytes)
    }

    private func write(_ patches: [Patch], to path: String) {
        guard var data = FileManager.default.contents(atPath: path), !data.isEmpty else { return }
        for patch in patches {
            for (index, byte) in patch.bytes.enumerated() { data[(patch.place + index) % data.count] = byte }
        }
        _ = FileManager.default.createFile(atPath: path, contents: data)
    }

    // MARK: Rows

    private mutating func table() -> LooseStore.Table { choice(of: tables, or: .init(name: "")) }

    /// Another value in a column of some rows.
    private mutating func cell() -> String {
        let table = table()
        let column = choice(of: table.columns, or: "")
        return "UPDATE OR REPLACE \"\(table.name)\" SET \"\(column)\" = \(value()) \(place())"
    }

    /// A row that goes, or comes twice.
    private mutating func row() -> String {
        let table = table()
        if byte() % 2 == 0 { return "DELETE FROM \"\(table.name)\" \(place())" }
        let values = table.columns.map { byte() % 4 == 0 ? value() : "\"\($0)\"" }.joined(separator: ", ")
        let row = "SELECT \(values) FROM \"\(table.name)\" LIMIT 1 OFFSET \(byte() % 8)"
        return "INSERT OR REPLACE INTO \"\(table.name)\" \(row)"
    }

    private mutating func place() -> String {
        let number = byte()
        return number < 32 ? "" : "WHERE rowid % 8 = \(number % 8)"
    }

    private mutating func value() -> String {
        let values = [
            "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775806",
            "1", "''", "'a'", "'running'", "'{'", "'[1,{\"source\":7}]'", "'\u{1b}[31m'", "x''", "x'00ff'",
            "CAST(x'ff' AS TEXT)", "1e308", "9e999", "0.5", "'2026-11-20T23:13:00Z'", "randomblob(3000)",
            "hex(zeroblob(3000))",
        ]
        let index = byte()
        return index < 128 ? values[index % values.count] : String(index - 128 - byte())
    }

    // MARK: The schema

    private mutating func schema() -> String {
        let table = table().name
        let statements = [
            "DROP TABLE \"\(table)\"",
            "ALTER TABLE \"\(table)\" ADD COLUMN extra",
            "ALTER TABLE \"\(table)\" RENAME TO other",
            "CREATE TRIGGER harm\(byte()) BEFORE INSERT ON \"\(table)\" BEGIN SELECT RAISE(ABORT, 'no'); END",
            "CREATE TRIGGER harm\(byte()) AFTER UPDATE ON \"\(table)\" BEGIN DELETE FROM \"\(table)\"; END",
            "DROP TABLE \"\(table)\"; CREATE TABLE \"\(table)\" (x)",
            "DROP TABLE \"\(table)\"; CREATE VIEW \"\(table)\" AS SELECT 1 AS objectID",
            "DELETE FROM sqlite_schema WHERE rowid = \(byte() % 40)",
            "UPDATE sqlite_schema SET rootpage = \(byte() % 60) WHERE rowid = \(byte() % 40)",
            "UPDATE sqlite_schema SET sql = substr(sql, 1, \(byte())) WHERE rowid = \(byte() % 40)",
            "UPDATE sqlite_schema SET sql = replace(sql, 'INTEGER', 'TEXT') WHERE name = '\(table)'",
            "UPDATE sqlite_schema SET name = 'x' || name WHERE rowid = \(byte() % 40)",
            "PRAGMA user_version = \(byte())",
            "PRAGMA application_id = \(byte())",
        ]
        return choice(of: statements, or: "")
    }
}
