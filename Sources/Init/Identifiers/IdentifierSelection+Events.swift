import SluiceDefinition
import SluiceRecords

// What identifies messages and events.
extension IdentifierSelection {
    /// Two attributes that are known by their names to identify together: the partition of a topic in Kafka and the
    /// offset that counts within it, and the keys of a table in DynamoDB.
    func choosePair(_ evidence: Evidence) -> Bool {
        let entity = evidence.entity
        guard entity.owner == nil else { return false }
        for (around, own) in [("partition", "offset"), ("pk", "sk"), ("PK", "SK")] {
            let columns = entity.columns.filter { $0.ownName == around || $0.ownName == own }
            let isUnique = evidence.choices.contains { choice in
                choice.repeats == 0 && choice.columns.allSatisfy { one in columns.contains { $0 === one } }
            }
            guard columns.count == 2, columns.allSatisfy(RecordMeasure.isEligible), isUnique else { continue }
            let topics = own == "offset" ? entity.columns.filter { $0.isOwnMember && $0.ownName == "topic" } : []
            let pair = columns.sorted { one, other in one.ownName == around && other.ownName == own }
            entity.identifier = DraftIdentifier(columns: topics.filter(RecordMeasure.isEligible) + pair)
            return true
        }
        return false
    }

    /// When an event was, to parts of a second, and the address that it is about, where nothing is called as
    /// identifiers are: what has one title or one address today may be seen again tomorrow.
    func chooseEvent(_ evidence: Evidence) -> Bool {
        let entity = evidence.entity
        guard entity.owner == nil, !entity.place.isOfTable, entity.records >= IdentifierSelection.leastOfEvents,
            let best = evidence.unique, !best.hasOwner, best.columns.allSatisfy(isOfChance),
            let time = evidence.choices.first(where: isMoment)?.columns.first,
            !best.columns.contains(where: { $0 === time })
        else { return false }
        let addresses = entity.columns.filter { column in
            RecordMeasure.isEligible(column) && column.facts.forms == .address && column.facts.sketch.distinct > 1.5
        }
        let own = addresses.first { one in best.columns.contains { $0 === one } }
        guard let address = own ?? addresses.max(by: { $0.facts.sketch.distinct < $1.facts.sketch.distinct }) else {
            return false
        }
        entity.identifier = DraftIdentifier(columns: [time, address].sorted { $0.index < $1.index })
        entity.remarks.append("when it was, and what it is about: together they are unique, which may be by chance")
        return true
    }

    private static let leastOfEvents = 10

    /// Whether a choice is nothing but the time of an event, with parts of a second.
    private func isMoment(_ choice: Choice) -> Bool {
        guard choice.repeats == 0, !choice.hasOwner, choice.columns.count == 1 else { return false }
        let column = choice.columns[0]
        return column.isOwnMember && column.facts.fraction > 0 && isTimeOfEvent(column)
    }

    /// Whether nothing says that a column identifies anything: an address by itself is that of the record.
    private func isOfChance(_ column: DraftColumn) -> Bool {
        let isOfObject = column.facts.forms == .address && !column.isOwnMember
        return !column.isKey && (column.meaning.rank == .other || column.meaning.rank == .code && isOfObject)
            && !isTarget(column) && !referring.contains(ObjectIdentifier(column)) && !Names.isOrdinal(column.ownName)
    }

    /// How many other members of a record begin with the word with which an identifier does: `eventID` beside
    /// `eventTime` and `eventName` is the event's own.
    func kinship(_ column: DraftColumn) -> Int {
        guard column.isOwnMember, column.meaning.rank == .ending, let word = column.meaning.member.base.first else {
            return 0
        }
        return column.entity.columns.count { other in
            other !== column && other.isOwnMember && other.cut == nil && Names.parts(other.ownName).first == word
        }
    }
}
