import Foundation
import TestSupport

/// Compares what a store holds with the model.
struct StoreCheck {
    private(set) var differences: [String] = []

    /// - Parameter definition: the one whose names the store has.
    init(_ definition: TestDefinition, _ model: ModelStore, _ store: NightStore) {
        guard FileManager.default.fileExists(atPath: store.path) else {
            let count = model.objects.reduce(0) { $0 + $1.count }
            if count > 0 {
                differences = ["\(store.way.name): there is no store, and there should be \(count) objects"]
            }
            return
        }
        do {
            let rows = try StoreRows(definition, store.path)
            if try !rows.isSound() { differences.append("the store is damaged") }
            differences += try rows.lackingSearches().map { "\($0) is not there" }
            for (index, entity) in definition.entities.enumerated() {
                compare(entity.name, try rows.rows(of: index), model.rows(of: index))
            }
            compare("waiting", try rows.waiting(), model.waiting())
            compare("stubs", try rows.stubs(), model.stubRows())
            let strays = try rows.strayCount()
            if strays > 0 { differences.append("\(strays) rows of the tool's own tables are of no object") }
        } catch {
            differences.append("\(error)")
        }
        differences = differences.map { "\(store.way.name): \($0)" }
    }

    private mutating func compare(_ what: String, _ found: [[Text]], _ expected: [[Text]]) {
        for change in found.difference(from: expected) {
            switch change {
            case .insert(_, let row, _): differences.append("\(what): stored: \(row)")
            case .remove(_, let row, _): differences.append("\(what): expected: \(row)")
            }
        }
    }
}
