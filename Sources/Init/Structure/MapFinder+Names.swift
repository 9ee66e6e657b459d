// How much the members of several objects are called alike.
extension MapFinder {
    /// Whether objects have the same names, but for a few that only some have: two or more that hardly one lacks, and
    /// no more others.
    static func shareNames(_ names: [[String]]) -> Bool {
        if likeness(names) == 1 { return true }
        let counts = counts(names)
        let common = counts.values.count { $0 * 20 >= names.count * 19 }
        return common > 1 && counts.count <= 2 * common && likeness(names) >= leastShared
    }

    /// Of records with members that some lack, so many share each name on average.
    private static let leastShared = 0.75

    /// By name: how many have it.
    static func counts(_ names: [[String]]) -> [String: Int] {
        Dictionary(names.joined().map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// How many of the others have a name, on average over all names: 1 where all have the same.
    static func likeness(_ names: [[String]]) -> Double {
        let counts = counts(names)
        let total = counts.values.reduce(0, +)
        guard total > 0 else { return 0 }
        return Double(counts.values.reduce(0) { $0 + $1 * $1 }) / Double(total * names.count)
    }

    /// Whether objects in records have the same names: one that hardly one lacks, and others that many have.
    static func mostlyShareNames(_ names: [[String]]) -> Bool {
        let most = counts(names).values.max() ?? 0
        return most * 20 >= names.count * 19 && likeness(names) >= leastAlike
    }

    /// Whether a few objects have the same names, two or more, of which one is that of a member of records.
    static func shareFields(_ names: [[String]]) -> Bool {
        let counts = counts(names)
        let common = counts.keys.filter { counts[$0] == names.count }
        return names.count > 1 && common.count > 1 && likeness(names) >= leastAlike && common.contains(where: isField)
    }

    /// Of objects that are alike, so many share each name on average.
    static let leastAlike = 0.6

    /// Whether nothing but a member of records is called so: what is known, counted or measured, or when it was.
    private static func isField(_ name: String) -> Bool {
        Names.isName(name) || Names.isMeasure(name) || Names.isPlainIdentifier(name) || Names.isOfChange(name)
    }
}
