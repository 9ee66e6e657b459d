import SluiceRecords

// What the values of a column are like.
extension DraftColumn {
    /// Whether all values, but for a few, are short texts of one length.
    var isCode: Bool {
        if isPaddedNumber { return true }
        guard !isKey, facts.numbers == 0, facts.texts - facts.empties > 2, facts.longest <= 12, !areFractions,
            !areTextsOfFractions, !isAmount
        else {
            return false
        }
        let mean = Double(facts.bytes) / Double(facts.texts - facts.empties)
        let length = Int(mean.rounded())
        guard (2...8).contains(length), abs(mean - Double(length)) < 0.05 else { return false }
        let texts = facts.sample.texts
        // A few words may be as long as one another, `Eins` and `Drei`, and so may results, `2:1`.
        if texts.count < DraftColumn.fewTexts, texts.contains(where: { DraftColumn.isNoCode($0, length) }) {
            return false
        }
        return texts.count { $0.count == length } * 20 >= texts.count * 19
    }

    /// Whether all values are digits, as many in each, with zeros in front of some: as services number customers and
    /// goods, `0000100013`. Telephones begin so, too.
    var isPaddedNumber: Bool {
        let texts = facts.sample.texts.filter { !$0.isEmpty }
        guard !isKey, facts.numbers == 0, texts.count > 2, DraftColumn.padded.contains(facts.longest),
            facts.bytes == facts.longest * (facts.texts - facts.empties), !Names.isTelephone(ownName)
        else { return false }
        return texts.allSatisfy { $0.allSatisfy(\.isDigit) } && texts.contains { $0[0] == UInt8(ascii: "0") }
    }

    private static let padded = 9...20

    /// Whether all values are texts as services make them to know something by: as long as one another, and with a
    /// digit in each, as far as a sample tells.
    var isMadeName: Bool {
        let texts = facts.sample.texts.filter { !$0.isEmpty }
        guard facts.numbers == 0, !texts.isEmpty, facts.longest >= 6,
            facts.bytes == facts.longest * (facts.texts - facts.empties),
            facts.forms.isDisjoint(with: TextForms.moments)
        else { return false }
        return texts.allSatisfy { $0.contains(where: \.isDigit) && !$0.contains(UInt8(ascii: " ")) }
    }

    private static let fewTexts = 10

    private static func isNoCode(_ text: [UInt8], _ length: Int) -> Bool {
        let isWord = length > 3 && !text.contains(where: \.isDigit) && text.contains(where: isLower)
        return isWord || text.contains(UInt8(ascii: ":")) || text.contains(UInt8(ascii: " "))
    }

    private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    /// Whether all values are texts that are a number with a fraction, and all as long: as the times by which services
    /// know messages, `1724930491.000200`.
    var isStamp: Bool {
        let texts = facts.texts - facts.empties
        return texts > 0 && facts.numbers == 0 && facts.forms.contains(.number) && !facts.forms.contains(.integer)
            && facts.longest >= 12 && facts.bytes == facts.longest * texts
            // Prices may all be as long, too.
            && facts.sample.texts.allSatisfy { $0.firstIndex(of: UInt8(ascii: ".")) == DraftColumn.digitsOfSeconds }
    }

    /// So many digits have seconds since 1970 from 2001 on.
    private static let digitsOfSeconds = 10

    /// Whether all cells of a table's column begin with a space, as far as a sample tells.
    var isSpaced: Bool {
        let texts = facts.sample.texts.filter { !$0.isEmpty }
        return entity.place.isOfTable && values > 1 && !texts.isEmpty && texts.allSatisfy { $0[0] == UInt8(ascii: " ") }
    }

    /// Whether values are called as numbers are, but most are texts: `"3.9"` and 3.15, which are versions and not
    /// measured.
    var isLabel: Bool {
        facts.numbers > 0 && facts.texts - facts.empties > facts.numbers && !isWhole && !Names.isMeasure(ownName)
            && !Names.isTime(ownName)
    }

    /// Whether all values are numbers that may be seconds since 1970 with a fraction: a few of them may be whole.
    var mayBeSeconds: Bool {
        let areWholeOnes =
            facts.integers.count == 0
            || facts.integers.least >= 1_000_000_000 && facts.integers.greatest < 4_000_000_000
        return facts.reals.count > 0 && facts.reals.seconds == facts.reals.count && areWholeOnes && facts.texts == 0
            && facts.reals.digits <= 19 && counts.booleans == 0
    }

    /// Whether all texts, as far as a sample tells, name a month of a year and have an hour: `Thu, 09 Oct 2025 08:53:20
    /// GMT`, `09/Oct/25 8:53 AM`.
    var mayBeWrittenDates: Bool {
        guard !isKey, facts.numbers == 0, facts.forms.isEmpty, (12...40).contains(facts.longest),
            facts.bytes >= 12 * (facts.texts - facts.empties)
        else { return false }
        let texts = facts.sample.texts.filter { !$0.isEmpty }
        return !texts.isEmpty && texts.allSatisfy(DraftColumn.isWrittenDate)
    }

    private static let months: Set = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func isWrittenDate(_ text: [UInt8]) -> Bool {
        let words = String(decoding: text, as: UTF8.self).lowercased().split { !$0.isLetter && !$0.isNumber }
        let numbers = words.count { $0.allSatisfy(\.isNumber) }
        return (5...9).contains(words.count) && numbers >= 4 && words.count { months.contains(String($0)) } == 1
            && text.contains(UInt8(ascii: ":"))
    }

    /// What is told of times as headers of mail and of answers have them, as far as a sample tells; nil: they are none.
    var mailFormat: String? {
        let texts = facts.sample.texts.map { String(decoding: $0, as: UTF8.self) }.filter { !$0.isEmpty }
        let time = /[A-Z][a-z]{2}, [0-9]{1,2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} ([+-][0-9]{4}|GMT|UTC)/
        let ends = texts.compactMap { $0.wholeMatch(of: time).map { String($0.1) } }
        guard !texts.isEmpty, ends.count == texts.count, let end = ends.first else { return nil }
        let written = "times: perhaps \"datetime\" with \"format\": \"%a, %d %b %Y %H:%M:%S"
        if ends.allSatisfy({ $0.utf8.count == 5 }) { return written + " %z\"" }
        return ends.allSatisfy(end.isIdentical) ? written + " \(end)\", and the \"timeZone\" UTC" : nil
    }

    /// Whether it is what lists begin with that are records, and nothing names it: a time, if it may be one.
    var isFirstPosition: Bool {
        if case .item([], let name, 0) = origin { name == "column0" } else { false }
    }

    /// Whether they are, as their name says, or at least nothing else.
    var isOfSeconds: Bool {
        guard mayBeSeconds else { return false }
        if case .item([], let name, let position) = origin, name == "column\(position)" { return true }
        return Names.mayBeTime(ownName)
    }

    /// Whether all values are texts that are a number with a fraction, of something measured. A version, `3.15`, may
    /// well identify something.
    var isTextOfMeasure: Bool {
        facts.texts > facts.empties && facts.numbers == 0 && facts.forms.areNumbers
            && !facts.forms.contains(.integer) && !isStamp && (Names.isMeasure(ownName) || Names.isTime(ownName))
    }

    /// Whether some texts say that there is no value, among numbers or dates: these become null. What is called as
    /// identifiers are keeps every text.
    var lacksByWord: Bool {
        guard facts.missing.count > 0, !isKey, meaning.rank == .other else { return false }
        return facts.numbers > 0 || facts.formsOfOthers.areNumbers
            || !facts.formsOfOthers.isDisjoint(with: TextForms.moments.union(.groups).union(.commaNumber))
    }

    /// Whether all texts say that there is no value, beside more values that are none.
    var areTextsMissing: Bool {
        facts.missing.count > 0 && facts.missing.count + facts.empties >= facts.texts
            && 2 * facts.missing.count < counts.scalars
    }

    /// Whether all values are paths of files, as far as a sample of them tells.
    var isPath: Bool {
        guard !isKey, facts.numbers == 0, facts.empties == 0, facts.forms.isEmpty, facts.longest > 1 else {
            return false
        }
        let texts = facts.sample.texts
        return !texts.isEmpty && texts.allSatisfy { $0.count > 1 && $0[0] == UInt8(ascii: "/") }
    }

    /// How much a path is like what identifies something in its record: of two, that which other records have, too, is
    /// better, as it is not by chance that no record has it twice.
    var rankOfPath: Double { 2 + facts.sketch.distinct / Double(max(1, entity.records)) / 2 }

    /// Whether it says more of the record around its own than of all: an address, a path, a name, a small number, a few
    /// characters. An identifier that others do not have is called so, or is longer.
    var isOfItsRecord: Bool {
        guard entity.owner != nil, meaning.rank >= .usual, !isKey, !isStamp else { return false }
        if facts.forms == .address || ownName.lowercased() == "name" || meaning.rank == .other && isPath { return true }
        guard isWhole else { return facts.longest < 4 }
        // What is numbered from one on is so in the list of another record, too: `"no": 1`.
        let isNumbered = meaning.rank == .code && (0...1).contains(facts.integers.least)
        return (meaning.rank == .other || isNumbered) && facts.integers.greatest < 100_000
    }

    /// Whether its name is that of its entity with a word for numbers: `order_number` of an order, `customer_no`.
    var isNumberOfOwn: Bool {
        let words = Names.parts(ownName)
        guard let last = words.last, ["no", "nr", "number", "num"].contains(last) else { return false }
        let own = Names.parts(entity.place.names.last { !Names.isGeneric($0) } ?? entity.name)
        return isOwnMember && words.count > 1
            && (words.dropLast().last == own.last || Names.parts(entity.name) == Array(words.dropLast()))
    }

    /// Whether it says when a record was changed last, by its name and by what it holds.
    var isTimeOfChange: Bool {
        Names.isOfChange(ownName) && ["datetime", "date"].contains(DraftType(self, isName: true).type)
    }

    /// Whether all texts are times of day.
    var isTimeOfDay: Bool {
        facts.texts > facts.empties && facts.numbers == 0
            && !facts.forms.isDisjoint(with: [.timeOfDay, .hourAndMinute])
    }

    /// Whether all values are whole numbers, but for those that say that there is none.
    var areWholeButMissing: Bool {
        facts.missing.count > 0 && facts.integers.count > 0 && facts.integers.count + facts.missing.count == values
    }

    /// Whether all values are whole numbers, as such or as texts.
    var isWhole: Bool { facts.integers.count > 0 && facts.integers.count == values }
}
