import SluiceDefinition
import SluiceRecords

/// Members of records that say the same texts again and again, and refer to no records: `home_team` and `away_team`.
/// What they name may be objects of their own, of which the feed says nothing but the names.
struct SharedTexts {
    private let entity: DraftEntity
    private var columns: [DraftColumn]

    /// Of fewer texts, all are soon the same.
    private static let leastTexts = 5
    private static let longest = 80

    static func remark(_ entities: [DraftEntity]) {
        for entity in entities where !entity.isDropped {
            for group in groups(of: entity) { entity.remarks.append(group.sentence) }
        }
    }

    private static func groups(of entity: DraftEntity) -> [SharedTexts] {
        var groups: [SharedTexts] = []
        for column in entity.columns where isName(column) {
            if let place = groups.firstIndex(where: { $0.isAlike(column) }) {
                groups[place].columns.append(column)
            } else {
                groups.append(SharedTexts(entity: entity, columns: [column]))
            }
        }
        return groups.filter { $0.columns.count > 1 }
    }

    /// Whether a member of the record has texts that are no numbers and no times, each of them often.
    private static func isName(_ column: DraftColumn) -> Bool {
        let (facts, distinct) = (column.facts, column.facts.sketch.distinct)
        guard column.isOwnMember, column.content == .scalar, column.cut == nil, column.sameAs == nil,
            facts.numbers == 0, column.counts.booleans == 0, facts.forms.isEmpty, facts.longest <= longest,
            !Names.isPostal(column.ownName), !Names.isProse(column.ownName)
        else { return false }
        return distinct >= Double(leastTexts) && Double(column.values) >= 2 * distinct
            && !column.entity.relationships.contains { $0.column?.origin == column.origin || $0.isBy(column) }
    }

    private func isAlike(_ column: DraftColumn) -> Bool {
        let (one, other) = (columns[0].facts.sketch, column.facts.sketch)
        return [one.comparison(with: other), other.comparison(with: one)].allSatisfy { 5 * $0.found >= 4 * $0.values }
    }

    private var sentence: String {
        let names = columns.map { quoted($0.ownName) }
        let told = "\(listed(names)) say the same texts: these may name objects of their own"
        guard let name else { return told + ", which \"missing\": \"stub\" makes of a reference (relationships.md)" }
        return told + ", which a reference to a new entity \(quoted(name)) with \"missing\": \"stub\" makes"
            + " (relationships.md)"
    }

    /// What the names of the columns have in common: a `Team` of `team1` and `team2`; nil: they have nothing.
    private var name: String? {
        let words = columns.map { column in
            Names.words(column.ownName).map { $0.lowercased().filter { !$0.isNumber } }.filter { !$0.isEmpty }
        }
        let common = words[0].reversed().first { word in
            word.utf8.count > 2 && words.allSatisfy { $0.containsExactly(word) }
        }
        return common.map(Names.entity)
    }
}
