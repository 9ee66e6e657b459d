import SluiceRecords

/// How much the members of several objects are called alike.
struct SharedNames {
    /// Of each object, what its members are called.
    private let names: [[String]]

    init(_ names: [[String]]) { self.names = names }

    /// By name: how many have it.
    var counts: [ExactText: Int] {
        Dictionary(names.joined().map { (ExactText($0), 1) }, uniquingKeysWith: +)
    }

    /// How many of the others have a name, on average over all names: 1 where all have the same.
    var likeness: Double {
        let counts = counts
        let total = counts.values.reduce(0, +)
        guard total > 0 else { return 0 }
        return Double(counts.values.reduce(0) { $0 + $1 * $1 }) / Double(total * names.count)
    }

    /// Whether all have the same names, but for a few that only some have: two or more that hardly one lacks, and no
    /// more others.
    var areShared: Bool {
        if likeness == 1 { return true }
        let counts = counts
        let common = counts.values.count { $0 * 20 >= names.count * 19 }
        return common > 1 && counts.count <= 2 * common && likeness >= SharedNames.leastShared
    }

    /// Whether very many objects have few names between them, of which each has some: records whose members are all
    /// optional.
    var areOfFew: Bool { names.count >= SharedNames.many && counts.count * 5 <= names.count }

    private static let many = 20

    /// Likewise, so many that it needs no other sign.
    var areOfVeryFew: Bool { names.count >= SharedNames.veryMany && counts.count * 10 <= names.count }

    private static let veryMany = 50

    /// Of records with members that some lack, so many share each name on average.
    private static let leastShared = 0.75

    /// Whether objects in records have the same names: one that hardly one lacks, and others that many have.
    var areMostlyShared: Bool {
        let most = counts.values.max() ?? 0
        return most * 20 >= names.count * 19 && likeness >= SharedNames.leastAlike
    }

    /// Whether a few objects have the same names, two or more, of which one is that of a member of records.
    var haveFields: Bool {
        let counts = counts
        let common = counts.keys.filter { counts[$0] == names.count }
        return names.count > 1 && common.count > 1 && likeness >= SharedNames.leastAlike
            && common.contains { SharedNames.isField($0.string) }
    }

    /// Of objects that are alike, so many share each name on average.
    static let leastAlike = 0.6

    /// Whether nothing but a member of records is called so: what is known, counted or measured, or when it was.
    private static func isField(_ name: String) -> Bool {
        Names.isName(name) || Names.isMeasure(name) || Names.isPlainIdentifier(name) || Names.isOfChange(name)
    }
}
