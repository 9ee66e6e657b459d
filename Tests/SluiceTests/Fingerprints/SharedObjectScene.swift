import Foundation
import TestSupport

/// A random pipeline with few items, each with some of few owners: in most items an owner is said to be the same.
struct SharedObjectScene {
    /// What an item says of an owner.
    enum Words: CaseIterable { case usual, other, partial, null }

    struct Owner: Equatable {
        var number: Int
        var words: Words
    }

    struct Item {
        let number: Int
        var note = 0
        var boss: Int?
        var owners: [Owner]
    }

    private var random: SeededRandom
    let definition: String
    /// What most items say of an owner, by its number.
    private var names: [Int] = []
    var items: [Item] = []
    private var nextItem = 0

    init(seed: Int) {
        random = SeededRandom(seed)
        definition = SharedObjectScene.definition(&random)
        for _ in 0..<30 + random.below(30) { addItem() }
    }

    /// Items in order, each with one of the owners in turn, of whom all say the same.
    init(items count: Int, owners: Int) {
        random = SeededRandom(0)
        definition = ""
        names = Array(repeating: 0, count: owners + 5)
        items = (0..<count).map { Item(number: $0, owners: [Owner(number: $0 % owners, words: .usual)]) }
        nextItem = count
    }

    private static func definition(_ random: inout SeededRandom) -> String {
        func one(_ words: String...) -> String { words[random.below(words.count)] }
        return definition(
            batchSize: [3, 3, 7, 5000][random.below(4)], item: #""absent": "\#(one("keep", "delete", "mark"))","#,
            owner: """
                "absent": "\(one("keep", "delete", "mark"))", "repeats": \(one("true", "true", "true", "false")),
                "duplicates": "\(one("last", "last", "first", "first", "reject"))",
                """, onAbsent: one("keep", "null"), missing: one("null", "stub"),
            isTarget: random.below(3) > 0)
    }

    /// - Parameters:
    ///   - item: keys of the entity of items.
    ///   - owner: likewise of owners.
    ///   - missing: what becomes of references to owners that are not there.
    ///   - isTarget: whether items refer to owners.
    static func definition(
        batchSize: Int, item: String = "", owner: String, onAbsent: String, missing: String = "null", isTarget: Bool
    ) -> String {
        let relationships = """
            "boss": { "to": "Owner", "missing": "\(missing)" },
            "owners": { "to": "Owner", "from": "owners[*].id", "many": true }
            """
        return """
            { "source": { "file": "feed.ndjson" }, "store": STORE, "batchSize": \(batchSize),
              "limits": { "rejects": null, "deletes": null }, "entities": {
                "Item": { "records": "$", "identifier": "id", \(item)
                  "attributes": { "id": "integer", "note": "integer" },
                  "relationships": { \(isTarget ? relationships : "") } },
                "Owner": { "records": "$.owners[*]", "identifier": "id", \(owner)
                  "attributes": { "id": "integer", "name": "integer",
                    "rank": { "type": "integer", "onAbsent": "\(onAbsent)" } } } } }
            """
    }

    // MARK: The feed

    private func record(_ number: Int, _ words: Words) -> [String: Any] {
        switch words {
        case .usual: ["id": number, "name": names[number], "rank": 1]
        case .other: ["id": number, "name": names[number] + 1, "rank": 1]
        case .partial: ["id": number, "name": names[number]]
        case .null: ["id": number, "name": names[number], "rank": NSNull()]
        }
    }

    func feed() throws -> Data {
        var text = Data()
        for item in items {
            var record: [String: Any] = ["id": item.number, "note": item.note]
            record["boss"] = item.boss
            record["owners"] = item.owners.map { self.record($0.number, $0.words) }
            text += try JSONSerialization.data(withJSONObject: record, options: .sortedKeys) + Data("\n".utf8)
        }
        return text
    }

    // MARK: Changes

    /// An owner, sometimes one that nobody had before, and what is said of it: mostly what all say.
    private mutating func owner() -> Owner {
        if names.isEmpty || random.below(3) == 0 { names.append(0) }
        let number = max(0, names.count - 1 - random.below(3))
        return Owner(number: number, words: random.below(6) > 0 ? .usual : words())
    }

    private mutating func words() -> Words { Words.allCases[random.below(Words.allCases.count)] }

    private mutating func addItem() {
        let owners = (0..<random.below(3)).map { _ in owner() }
        items.insert(Item(number: nextItem, owners: owners), at: random.below(items.count + 1))
        nextItem += 1
    }

    /// Changes the feed, or lets it be as it was. It takes some nights until items are known: so these say, between
    /// others, what they said before.
    mutating func change(night: Int) {
        switch night % 4 {
        case 1: for _ in 0...random.below(2) { changeOnce() }
        case 2: if random.below(2) == 0 { agree() }
        case 3: if random.below(3) == 0 { changeOnce() }
        default: if random.below(2) == 0 { items[random.below(items.count)].note += 1 }
        }
    }

    /// Has all items say the same of an owner.
    private mutating func agree() {
        for place in items.indices {
            for owner in items[place].owners.indices { items[place].owners[owner].words = .usual }
        }
    }

    private mutating func changeOnce() {
        let index = random.below(random.below(2) == 0 ? items.count : items.count / 4)
        switch random.below(12) {
        case 0: addItem()
        case 1: items.remove(at: index)
        case 2: items.shuffle(using: &random)
        case 3: items[index].boss = random.below(2) == 0 ? nil : random.below(names.count + 2)
        case 4: names[random.below(names.count)] += 1
        case 5, 6: items[index].owners = (0..<random.below(3)).map { _ in owner() }
        default: for owner in items[index].owners.indices { items[index].owners[owner].words = words() }
        }
    }
}
