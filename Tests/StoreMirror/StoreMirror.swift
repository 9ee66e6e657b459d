import Foundation
import SluicePostgreSQL
import SluiceRecords

@testable import SluiceLoad
@testable import SluiceSchema
@testable import SluiceStoreSQLite

/// Makes an SQLite database of a store on a server, just as a run to SQLite would have left it: so whatever looks into
/// a store looks into both.
package struct StoreMirror {
    private let source: ServerConnection
    private let namespace: String
    private let model: Model

    package init(_ server: TestServer, _ model: Model) throws {
        source = try server.connect()
        namespace = quoted(server.location.schema)
        self.model = model
    }

    package func write(to path: String) throws {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        let store = try SQLiteStore(path, StoreUse(model: model, pipeline: "mirror", savesAtEnd: true))
        let run = try store.begin(started: "2026-11-21T00:00:00Z")
        for entity in model.entities {
            try copy(entity, store)
            for relationship in entity.relationships where relationship.isMany {
                let names = ["source", "target"] + (relationship.isPolymorphic ? ["target_entity"] : []) + ["position"]
                try copyPlain(entity.linkTable(of: relationship), names, relationship.values, store)
            }
        }
        let hasValues = model.entities.contains { $0.relationships.contains { !$0.values.isEmpty } }
        try copyPlain(
            "sluice_unresolved",
            [
                "entity", "relationship", "objectID", "position", "value", "target", "run", "source", "file", "record",
                "line", "column", "offset", "path", "keys",
            ] + (hasValues ? ["with"] : []), [], store)
        try copyPlain("sluice_stub", ["entity", "objectID"], [], store)
        try run.finishIndexes()
        try run.commit(RunOutcome(status: "succeeded", finished: "2026-11-21T00:00:01Z", report: "{}"))
    }

    private func insertion(_ table: String, _ names: [String], _ store: SQLiteStore) throws -> Statement {
        let list = names.map(quoted).joined(separator: ", ")
        let values = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return try store.connection.prepare("INSERT INTO \(quoted(table)) (\(list)) VALUES (\(values))")
    }

    private func copy(_ entity: Entity, _ store: SQLiteStore) throws {
        let columns = store.schema.columns(of: entity)
        let names = ["objectID"] + columns.map(\.name)
        let list = names.map(quoted).joined(separator: ", ")
        let rows = try source.query("SELECT \(list) FROM \(namespace).\(quoted(entity.table)) ORDER BY 1")
        let insertion = try insertion(entity.table, names, store)
        var arena = Arena()
        defer { arena.deallocate() }
        let forms = entity.attributes.map { CellForm($0.conversion.stored) }
        for row in 0..<rows.count {
            arena.reset()
            var cells: [Cell] = [.integer(rows.integer(row, 0))]
            for column in 1..<names.count {
                if rows.isNull(row, column) {
                    cells.append(.null)
                } else if column <= forms.count {
                    guard let cell = unsafe forms[column - 1].cell(rows.bytes(row, column), in: &arena) else {
                        throw Failure(.io, "\(entity.name).\(names[column]) holds what nobody has written")
                    }
                    cells.append(cell)
                } else if names[column] == Entity.deletedAt, column == names.count - 1, entity.absence.choice == .mark {
                    let time = CellForm(StoredForm(.datetime, fraction: 0))
                    cells.append(unsafe time.cell(rows.bytes(row, column), in: &arena) ?? .null)
                } else if columns[column - 1].declared == "TEXT" {
                    cells.append(arena.appendText(rows.text(row, column)))
                } else {
                    cells.append(.integer(rows.integer(row, column)))
                }
            }
            for (index, cell) in cells.enumerated() { unsafe insertion.bind(index + 1, cell, arena.base) }
            try insertion.run()
        }
    }

    /// Copies a table of texts and integers, and of what links have of their own.
    private func copyPlain(
        _ table: String, _ plain: [String], _ values: [Attribute], _ store: SQLiteStore
    ) throws {
        let texts: Set = ["entity", "relationship", "value", "path", "keys", "target_entity", "with"]
        let names = plain + values.map(\.name)
        // It does not move while a row is bound.
        var arena = Arena(capacity: 1 << 20)
        defer { arena.deallocate() }
        let list = names.map(quoted).joined(separator: ", ")
        let rows = try source.query("SELECT \(list) FROM \(namespace).\(quoted(table))")
        let insertion = try insertion(table, names, store)
        for row in 0..<rows.count {
            arena.reset()
            for (column, name) in names.enumerated() {
                let isText = texts.contains(name) || name == "target" && table == "sluice_unresolved"
                if rows.isNull(row, column) {
                    insertion.bind(column + 1, nil)
                } else if column >= plain.count {
                    let form = CellForm(values[column - plain.count].conversion.stored)
                    let cell = unsafe form.cell(rows.bytes(row, column), in: &arena)
                    unsafe insertion.bind(column + 1, cell ?? .null, arena.base)
                } else if isText {
                    insertion.bind(column + 1, rows.text(row, column))
                } else {
                    insertion.bind(column + 1, rows.integer(row, column))
                }
            }
            try insertion.run()
        }
    }
}
