import Foundation
import Sluice
import SluiceStore
import TestSupport
import Testing

/// A condition, and what it means.
private struct Case {
    var condition: Condition<Item>
    var holds: (Item) -> Bool
}

@Suite("Conditions against a model in memory")
struct ConditionTests {
    @Test("Random conditions choose the objects that they say", arguments: seedRange(1...4), StorePlace.allCases)
    func random(seed: Int, place: StorePlace) async throws {
        var random = SeededRandom(seed)
        let scene = try await StoreScene(items: 120, seed: seed, in: place)
        let store = try scene.open(.read)
        let all = try await store.fetch(Item.all)
        for _ in 0..<150 {
            let one = condition(depth: 3, all, &random)
            let found = try await store.fetch(Item.filter { _ in one.condition })
            let expected = all.filter(one.holds)
            #expect(Set(found.map(\.itemID)) == Set(expected.map(\.itemID)), "\(one.condition)")
            #expect(try await store.count(Item.filter { _ in one.condition }) == expected.count)
        }
    }

    private func condition(depth: Int, _ all: [Item], _ random: inout SeededRandom) -> Case {
        let kind = depth == 0 ? 3 : Int.random(in: 0..<6, using: &random)
        switch kind {
        case 0:
            let (left, right) = (condition(depth: depth - 1, all, &random), condition(depth: depth - 1, all, &random))
            return Case(condition: left.condition && right.condition) { left.holds($0) && right.holds($0) }
        case 1:
            let (left, right) = (condition(depth: depth - 1, all, &random), condition(depth: depth - 1, all, &random))
            return Case(condition: left.condition || right.condition) { left.holds($0) || right.holds($0) }
        case 2:
            let one = condition(depth: depth - 1, all, &random)
            return Case(condition: !one.condition) { !one.holds($0) }
        default: return leaf(all, &random)
        }
    }

    private func leaf(_ all: [Item], _ random: inout SeededRandom) -> Case {
        let columns = Item.columns
        let other = all.randomElement(using: &random) ?? all[0]
        switch Int.random(in: 0..<13, using: &random) {
        case 0: return compare(columns.stock, \.stock, other.stock, &random)
        case 1: return compare(columns.weight, \.weight, other.weight.map { $0 + 0.125 } ?? .infinity, &random)
        case 2:
            let price = ExactDecimal(StoreScene.decimals.randomElement(using: &random) ?? "0")
            return compare(columns.price, \.price, price, &random)
        case 3:
            let cents =
                [ExactDecimal("1.505"), ExactDecimal("-0.001"), ExactDecimal("12.25"), nil, ExactDecimal("7")]
                .randomElement(using: &random) ?? nil
            return compare(columns.cents, \.cents, cents, &random)
        case 4: return compare(columns.since, \.since, other.since, &random)
        case 5:
            let moments = StoreScene.moments + ["2026-11-20T23:13:00.2500001Z", "2026-11-20T23:12:59.9999999Z"]
            return compare(columns.seen, \.seen, Instant(moments.randomElement(using: &random) ?? ""), &random)
        case 6:
            let text = StoreScene.texts.randomElement(using: &random) ?? ""
            return Bool.random(using: &random)
                ? Case(condition: columns.name.hasPrefix(text)) { $0.name.map { starts($0, text) } ?? false }
                : Case(condition: columns.name.contains(text)) { $0.name.map { holds($0, text) } ?? false }
        case 7:
            let texts = (0..<3).map { _ in
                Bool.random(using: &random) ? StoreScene.texts.randomElement(using: &random) : nil
            }
            return Case(condition: columns.name.isIn(texts)) { item in
                texts.contains { $0.map { Array($0.utf8) } == item.name.map { Array($0.utf8) } }
            }
        case 12:
            let lengths: [Duration?] = [.milliseconds(1500), .microseconds(1_500_001), .seconds(90600), nil, .zero]
            return compare(columns.lasts, \.lasts, lengths.randomElement(using: &random) ?? nil, &random)
        case 8: return Case(condition: columns.extra == other.extra) { $0.extra == other.extra }
        case 9: return Case(condition: columns.source == other.source) { $0.source == other.source }
        case 10: return Case(condition: columns.isNew != other.isNew) { $0.isNew != other.isNew }
        default:
            return Case(condition: columns.partOf.isIn(Item.filter { $0.stock > 4 })) { item in
                all.contains { $0.objectID == item.partOf && ($0.stock ?? 0) > 4 }
            }
        }
    }

    private func compare<Value: StoreValue & Comparable>(
        _ column: Column<Item, Value?>, _ path: KeyPath<Item, Value?>, _ value: Value?, _ random: inout SeededRandom
    ) -> Case {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return Case(condition: column == value) { $0[keyPath: path] == value }
        case 1: return Case(condition: column != value) { $0[keyPath: path] != value }
        case 2: return ordered(column < value, path, value, <)
        case 3: return ordered(column <= value, path, value, <=)
        case 4: return ordered(column > value, path, value, >)
        default: return ordered(column >= value, path, value, >=)
        }
    }

    private func ordered<Value>(
        _ condition: Condition<Item>, _ path: KeyPath<Item, Value?>, _ value: Value?,
        _ order: @escaping (Value, Value) -> Bool
    ) -> Case {
        Case(condition: condition) { item in
            guard let own = item[keyPath: path], let value else { return false }
            return order(own, value)
        }
    }

    private func starts(_ text: String, _ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }

    private func holds(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        return part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
    }

    @Test("A quarter of a million values in one list, with NUL in them", arguments: StorePlace.allCases)
    func manyValues(place: StorePlace) async throws {
        let scene = try await StoreScene(items: 300, in: place)
        let store = try scene.open(.read)
        let texts = (0..<250_000).map { "no such name \($0)" } + ["z\u{0}y", "zz"]
        let found = try await store.fetch(Item.filter { $0.name.isIn(texts) }.sorted { [$0.itemID.ascending] })
        let all = try await store.fetch(Item.all.sorted { [$0.itemID.ascending] })
        #expect(found.map(\.itemID) == all.filter { $0.name == "z\u{0}y" || $0.name == "zz" }.map(\.itemID))
        #expect(!found.isEmpty)
        let numbers = Array(-250_000...10)
        #expect(try await store.count(Item.filter { $0.itemID.isIn(numbers) }) == 11)
    }

    @Test("Links, and objects of other queries", arguments: StorePlace.allCases)
    func links(place: StorePlace) async throws {
        let scene = try await StoreScene(items: 60, in: place)
        let store = try scene.open(.read)
        let all = try await store.fetch(Item.all)
        let related = try await store.links(Item.columns.related, of: all.map(\.objectID))
        #expect(!related.isEmpty)
        let none = try await store.fetch(Item.filter { $0.related.isEmpty })
        #expect(Set(none.map(\.objectID)) == Set(all.map(\.objectID)).subtracting(related.keys))
        let seven = try #require(all.first { $0.itemID == 7 }).objectID
        let with = try await store.fetch(Item.filter { $0.related.contains(seven) })
        #expect(Set(with.map(\.objectID)) == Set(related.filter { $0.value.contains(seven) }.keys))
        let fruit = try await store.fetch(Item.filter { $0.category.isIn(Category.filter { $0.name == "fruit" }) })
        let category = try #require(try await store.object(Category.self, identifier: "fruit"))
        #expect(Set(fruit.map(\.itemID)) == Set(all.filter { $0.category == category.objectID }.map(\.itemID)))
        let wood = try await store.count(Item.filter { $0.source.isIn(Category.all) })
        #expect(wood == all.count { $0.source?.entity == "Category" })
    }

    @Test("SQL of the program's own binds its values", arguments: StorePlace.allCases)
    func sql(place: StorePlace) async throws {
        let scene = try await StoreScene(items: 60, in: place)
        let store = try scene.open(.read)
        let evil = "x' OR 1=1 --"
        #expect(try await store.count(Item.filter { _ in Condition(sql: "name = \(evil)") }) == 0)
        let all = try await store.fetch(Item.all)
        let heavy = try await store.count(Item.filter { Condition(sql: "\($0.weight) * 2 > \(1.0)") })
        #expect(heavy == all.count { ($0.weight ?? 0) * 2 > 1 })
        #expect(
            try await store.count(Item.filter { !Condition(sql: "weight > \(0.5)") && $0.stock.isNull })
                == all.count { !(($0.weight ?? 0) > 0.5) && $0.stock == nil })
        let some = try await store.count(Item.filter { Condition(sql: "\($0.itemID) IN \(list: [1, 2, 900])") })
        #expect(some == 2)
    }
}

/// Seeds of a property: those of `SLUICE_SEEDS`, where that is set.
func seedRange(_ usual: ClosedRange<Int>) -> [Int] {
    let words = ProcessInfo.processInfo.environment["SLUICE_SEEDS"]?.split(separator: ".").compactMap { Int($0) } ?? []
    return words.count == 2 ? Array(words[0]..<words[1]) : Array(usual)
}
