import SluiceDefinition
import SluiceRecords

/// Gives the members of an entity names that differ, as those of the columns of its table must.
struct MemberNames {
    private var taken: Set<String> = []

    /// - Parameter others: names that are taken already.
    init(_ others: [String] = []) {
        taken = Set(others.map { String(decoding: NameChecks.folded($0), as: UTF8.self) })
    }

    /// The first of some names that is free, or a number behind the last of them.
    mutating func free(_ names: [String]) -> String {
        take(names, with: [])
    }

    /// Likewise for a reference to several entities, which has a second column.
    mutating func freePair(_ names: [String]) -> String { take(names, with: ["_entity"]) }

    private mutating func take(_ names: [String], with endings: [String]) -> String {
        let usable = names.map(Names.visible).map { NameChecks.wrong($0) == nil ? $0 : "field_" + $0 }
        for name in usable where insert(name, endings) { return name }
        let base = usable[usable.count - 1]
        var number = 2
        while !insert(base + String(number), endings) { number += 1 }
        return base + String(number)
    }

    private mutating func insert(_ name: String, _ endings: [String]) -> Bool {
        let all = ([""] + endings).map { String(decoding: NameChecks.folded(name + $0), as: UTF8.self) }
        guard taken.isDisjoint(with: all) else { return false }
        taken.formUnion(all)
        return true
    }
}
