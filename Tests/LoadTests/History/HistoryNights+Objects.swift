import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceSchema
@testable import SluiceStores

// What nights say of single objects.
extension HistoryNights {
    /// What differs between two nights, applied to what the one's copy holds, gives what the other's holds:
    /// in a file, where views have been made of both.
    func compareDifferences(_ model: Model, _ comment: String, _ random: inout SeededRandom) throws {
        let (shelf, kept) = (shelves[0], try kept(shelves[0]))
        guard kept.count > 1 else { return }
        let past = try shelf.location.past()
        for _ in 0..<6 {
            let (from, to) = (kept[random.below(kept.count)], kept[random.below(kept.count)])
            for entity in model.entities {
                let view = quotedText(entity.table + "_view")
                let columns = try shelf.rows("SELECT name FROM pragma_table_info(\(view))", in: .night(to))
                    .map { $0[0] }
                var found = try objects(entity, columns, from)
                try past.differences(from: from, to: to, of: entity.name) { _, names, difference throws(Failure) in
                    let key = plain(difference.identifier)
                    guard let after = difference.after else {
                        #expect(found.removeValue(forKey: key) != nil, "\(comment): \(key) was not there")
                        return
                    }
                    #expect((difference.before != nil) == (found[key] != nil), "\(comment): \(key)")
                    let changed = difference.before == nil ? Array(names.indices) : difference.changed
                    for index in changed { found[key, default: [:]][names[index]] = plain(after[index]) }
                }
                let expected = try objects(entity, columns, to)
                #expect(found == expected, "\(comment), from \(from) to \(to) of \(runs), \(entity.table)")
            }
        }
    }

    /// By identifier: what a night's copy holds of an entity, by column.
    private func objects(_ entity: Entity, _ columns: [String], _ night: Int) throws -> [String: [String: String]] {
        let names = columns.map(quoted).joined(separator: ", ")
        let rows = try shelves[0].rows(
            "SELECT \(names) FROM @\(quoted(entity.table + "_view"))", in: .night(night))
        let identifier = entity.identifier.map { entity.attributes[$0].name }
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let values = Dictionary(uniqueKeysWithValues: zip(columns, row))
                let key = identifier.map { values[$0] ?? "" }
                return (key.joined(separator: "|"), values)
            })
    }

    /// What stands where a record is said to have made an object what it is, is a record of that object; and of each
    /// object that a record has made, it is said.
    func comparePlaces(_ model: Model, _ comment: String) throws {
        for shelf in shelves {
            for (index, entity) in model.entities.enumerated() {
                let number = try shelf.rows(
                    "SELECT number FROM @sluice_history_object WHERE name = '\(entity.table)'", in: .store)
                guard let number = number.first?[0] else { continue }
                let noted = try shelf.rows("SELECT r, o, \"offset\" FROM @sluice_history_place_\(number)", in: .store)
                let table = NotedTable(shelf: shelf, index: index, entity: entity, number: number)
                for run in runs {
                    let places = noted.filter { $0[0] == "\(run)" }
                    try compare(places, run, of: table, comment)
                    try compare(newObjects: run, with: Set(places.map { $0[1] }), of: table, comment)
                }
            }
        }
    }

    /// An entity's table whose places are looked at.
    private struct NotedTable {
        let shelf: any NightShelf
        let index: Int
        let entity: Entity
        let number: String

        func name(_ record: TestRecord) -> String { record.values[entity.identifier[0]].written }

        /// By objectID: what identified the objects of a night.
        func names(_ run: Int) throws -> [String: String] {
            let identifier = quoted(entity.attributes[entity.identifier[0]].name)
            let rows = try shelf.rows(
                "SELECT \"objectID\", \(identifier) FROM @\(quoted(entity.table))", in: .night(run))
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
        }
    }

    private func compare(
        _ places: [[String]], _ run: Int, of table: NotedTable, _ comment: String
    ) throws {
        let names = try table.names(run)
        for place in places {
            guard let offset = Int(place[2]), let feed = feeds[run], feed.indices.contains(offset) else {
                Issue.record("\(comment): \(place) is no record of \(table.entity.table)")
                continue
            }
            #expect(feed[offset].entity == table.index)
            if let found = names[place[1]] {
                #expect(found == table.name(feed[offset]), "\(comment), run \(run), \(table.entity.table) \(place)")
            }
        }
    }

    private func compare(
        newObjects run: Int, with noted: Set<String>, of table: NotedTable, _ comment: String
    ) throws {
        // Others may make an object for a record that does not.
        guard let before = runs.last(where: { $0 < run }), try kept(table.shelf).contains(before),
            let model = models[run], model.entities[table.index].mode == .upsert,
            !model.entities.flatMap(\.relationships).contains(where: { $0.missing != .null })
        else { return }
        let described = Set(
            (feeds[run] ?? []).filter { $0.entity == table.index && $0.status == .complete }.map(table.name))
        let highest = try table.names(before).keys.compactMap { Int($0) }.max() ?? 0
        for (objectID, found) in try table.names(run) where Int(objectID) ?? 0 > highest && described.contains(found) {
            let made = try table.shelf.rows(
                """
                SELECT 1 FROM @sluice_history_made m WHERE m.object = \(table.number) AND m.run = \(run)
                AND \(objectID) BETWEEN m.first AND m.last AND NOT EXISTS (
                  SELECT 1 FROM @sluice_history_given g WHERE g.o = \(objectID) AND g.object = \(table.number))
                """, in: .store)
            if made.isEmpty { continue }
            #expect(noted.contains(objectID), "\(comment), run \(run), \(table.entity.table) \(found)")
        }
    }
}

extension TestValue {
    /// As the store shows it.
    fileprivate var written: String {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let text): text.description
        default: ""
        }
    }
}

/// JSON as the rows of a test have it; the parts of a compound identifier with lines between them.
private func plain(_ json: String) -> String {
    let value = try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    switch value {
    case let text as String: return text
    case is NSNull: return "∅"
    case let list as [Any] where json.hasPrefix("[") && !list.isEmpty && json.contains(", "):
        return list.map { "\($0)" }.joined(separator: "|")
    default: return json
    }
}
