import Glibc
import SluiceRecords

/// Columns that may name an object together.
final class CompoundReference: RowListener {
    let source: DraftEntity
    /// One for each part of the target's identifier.
    let columns: [DraftColumn]
    let target: CompoundTarget
    private var values = HashCounts(most: 1 << 20)

    init(_ source: DraftEntity, _ columns: [DraftColumn], _ target: CompoundTarget) {
        self.source = source
        self.columns = columns
        self.target = target
    }

    deinit { values.deallocate() }

    func take(_ row: UnsafePointer<UInt64>) {
        if let hash = unsafe CompoundTarget.hash(columns, row) { values.add(hash) }
    }

    // MARK: Names

    /// How much the name of a column says that it is meant.
    static func likeness(_ column: DraftColumn, _ part: DraftColumn) -> Int {
        // The parts of one text, of which the first names the owner, say so themselves.
        let isCut = column.cut != nil ? 1 : 0
        if column.meaning.member.lower == part.meaning.member.lower { return 4 }
        let fit = Names.fit(column.meaning.member, part.entity.nameParts, identifier: part.meaning.member)
        return max(isCut, fit, CompoundReference.likeness(column.meaning.member, part.meaning.member))
    }

    /// How much names are those of one thing: `year.key` and `yearID`; or of one of several, `teamIDwinner` and
    /// `teamID`.
    private static func likeness(_ name: MemberName, _ part: MemberName) -> Int {
        if part.base.isEmpty { return 0 }
        if name.base == part.base { return 3 }
        return name.base.count > part.base.count && name.base.starts(with: part.base) ? 2 : 0
    }

    private var likenesses: [Int] { zip(columns, target.parts).map(CompoundReference.likeness) }

    /// The column that is not called as its part is, where all others are: each such column may name another object.
    var ownColumn: DraftColumn? {
        let others = zip(columns, likenesses).filter { $0.1 < 4 }
        return others.count == 1 && columns.count > 1 ? others[0].0 : nil
    }

    /// The object in the record in which all of some columns are; nil: there is none.
    static func path(of columns: [DraftColumn]) -> [String]? {
        let path = columns[0].parent
        return !path.isEmpty && columns.allSatisfy { $0.parent == path && $0.cut == nil } ? path : nil
    }

    /// Whether an object in the record has members that are called as the parts are.
    private var isNamed: Bool { CompoundReference.path(of: columns) != nil && likenesses.allSatisfy { $0 == 4 } }

    /// Whether all of them are cut out of one value.
    private var isCut: Bool {
        columns.allSatisfy { $0.cut != nil && $0.origin == columns[0].origin }
    }

    var weight: Double {
        let share = Double(figures.found) / Double(max(1, figures.values))
        return Double(likenesses.reduce(0, +)) + (isNamed ? 10 : 0) + (isCut ? 5 : 0) + share
    }

    /// Whether it is worth measuring.
    var isPlausible: Bool {
        guard Set(columns.map(ObjectIdentifier.init)).count == columns.count else { return false }
        // Parts of values count together, and with none of the rest.
        if columns.contains(where: { $0.part?.isPartial == true }), !isCut { return false }
        if columns.contains(where: { $0.cut != nil }), !isCut { return false }
        if source === target.entity, !isNamed { return false }
        return isNamed || isCut || likenesses.allSatisfy { $0 >= 2 }
    }

    // MARK: What was found

    private var figures: (values: Int, found: Int) { values.overlap(with: [target.identifiers]) }

    /// Whether enough is found, and more than would be by chance.
    var isFound: Bool {
        let (values, found) = figures
        guard values >= 3, found >= 2 else { return false }
        let enough = isNamed ? 0.5 : ReferenceSearch.enough
        guard Double(found) >= enough * Double(values) else { return false }
        return isNamed || likenesses.allSatisfy { $0 >= 3 } || !isChance
    }

    /// Whether so much would be found of any values that are those of the parts.
    private var isChance: Bool {
        let combinations = target.parts.reduce(1.0) { $0 * $1.facts.sketch.distinct }
        let chance = min(1, Double(target.identifiers.distinct) / max(1, combinations))
        return chance > 0.5 && pow(chance, Double(values.distinct)) > 0.01
    }

    var remark: String {
        let (values, found) = figures
        let names = target.parts.map(\.ownName).joined(separator: ", ")
        let isExact = self.values.isExact && target.identifiers.isExact
        return ReferenceSearch.Match(target: target.parts[0], values: values, found: found, isExact: isExact)
            .figures("\(target.entity.name) (\(names))")
    }
}
