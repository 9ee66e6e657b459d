import SluiceDefinition
import SluiceRecords

/// The type that takes all values of a column, and what goes with it.
struct DraftType {
    var type: String
    /// Keys of the attribute and their values, as JSON.
    var keys: [(String, String)] = []
    var remark: String?
    /// Whether texts that may say that there is no value do so.
    private var hasMissing = false
    /// Whether zero says that there is no value.
    private var hasZeros = false

    init(_ type: String, _ keys: [(String, String)] = [], _ remark: String? = nil) {
        self.type = type
        self.keys = keys
        self.remark = remark
    }

    /// - Parameter isName: whether the column names something: an identifier, or a reference.
    init(_ column: DraftColumn, isName: Bool) {
        let (counts, facts) = (column.counts, column.facts)
        if column.isKey {
            let areDays = facts.texts > 0 && facts.empties == 0 && facts.forms.contains(.date)
            self.init(areDays && !column.isFile ? "date" : "text")
        } else if column.content != .scalar || !counts.areScalars {
            self.init("json", [], column.isAlwaysEmpty ? "always empty" : DraftType.mixture(counts))
        } else if counts.scalars == 0 {
            self.init("text", [], "always null: the type is a guess")
        } else if counts.booleans > 0 {
            self = DraftType.boolean(column)
        } else if counts.texts == 0 {
            self = DraftType.number(column)
        } else if counts.numbers > 0 {
            self = isName && column.isLabel ? DraftType("text") : DraftType.mixed(column)
        } else if facts.texts == facts.empties {
            self.init("text", [], "always empty: the type is a guess")
        } else if !isName, let type = DraftType.ofExtendedJSON(column, facts.forms) {
            self = type
        } else {
            let type = DraftType.text(column, facts.forms)
            let keeps =
                ["date", "datetime", "duration"].contains(type.type)
                || column.entity.place.isOfTable && type.type == "integer"
            self = isName ? keeps ? type : DraftType("text") : DraftType.withoutMissing(column) ?? type
        }
        // What identifies an object is never null.
        if isName { hasZeros = false }
        addNullIf(column)
        // People and programs write a space behind each comma.
        if type == "text", !isName, column.isSpaced { keys.append(("trim", "true")) }
    }

    /// What is told of objects or lists with other values beside them; nil: there are none.
    private static func mixture(_ counts: ValueCounts) -> String? {
        let kinds = [
            ("object", counts.objects), ("list", counts.arrays), ("text", counts.texts), ("number", counts.numbers),
            ("boolean", counts.booleans),
        ].filter { $0.1 > 0 }
        guard kinds.count > 1 else { return nil }
        return kinds.map { "\(grouped($0.1)) \($0.0)\($0.1 == 1 ? "" : "s")" }.joined(separator: ", ")
    }

    /// Whether both are the same type, with the same keys.
    func isLike(_ other: DraftType) -> Bool { type == other.type && keys.map(\.1) == other.keys.map(\.1) }

    /// What stands around a value is cut, and what stands for none becomes null, but in a text.
    private mutating func addNullIf(_ column: DraftColumn) {
        guard type != "text", type != "json" else { return }
        if column.facts.padded > 0 { keys.insert(("trim", "true"), at: 0) }
        let missing = hasMissing ? column.facts.missing.texts : []
        let texts = (column.facts.empties > 0 && missing.last?.isEmpty != true ? [""] : []) + missing
        let zeros = (column.facts.numbers > 0 ? ["0"] : []) + (column.facts.texts > 0 ? ["\"0\""] : [])
        let all = (hasZeros ? zeros : []) + texts.map(DraftText.quoted)
        if !all.isEmpty { keys.append(("nullIf", JSONText.oneOrArray(all))) }
    }

    /// Of texts of which some say that there is no value, where all others are of another type.
    private static func withoutMissing(_ column: DraftColumn) -> DraftType? {
        let facts = column.facts
        guard facts.missing.count > 0, facts.texts - facts.empties - facts.missing.count > 1 else { return nil }
        if facts.missing.mayTell, 3 * facts.missing.count > facts.texts - facts.empties { return nil }
        // `1.1` and `1.10` are two versions.
        if facts.formsOfOthers.areNumbers, equalNumbers(of: column) != nil { return nil }
        let type = text(column, facts.formsOfOthers)
        return type.type == "text" ? nil : type.withNull(for: column)
    }

    /// Takes zero for null, and says so.
    mutating func takeZero(_ remark: String) { (hasZeros, self.remark) = (true, remark) }

    /// The same type, which takes the texts of a column that say that there is no value for null; a comment counts
    /// these.
    func withNull(for column: DraftColumn) -> DraftType {
        let missing = column.facts.missing
        guard type != "text" else { return self }
        var type = self
        type.hasMissing = true
        let told = "\(listed(missing.texts.map { quoted($0) })) in \(grouped(missing.count)), taken for null"
        type.remark = remark.map { "\($0); \(told)" } ?? told
        return type
    }
}
