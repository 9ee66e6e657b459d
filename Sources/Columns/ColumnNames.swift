import SluiceRecords

/// Names for columns of ours beside names that are given: what a definition calls something keeps its name, and where a
/// column of ours would have the same, a prefix makes it a name that no definition can write.
package struct ColumnNames {
    private static let reserved = "sluice_"
    private var taken: Set<ExactText>

    /// - Parameter names: those that are given.
    package init(_ names: [String]) { taken = Set(names.map(ColumnNames.folded)) }

    /// The name of a column of ours: no column has it, and no other one will.
    package mutating func unique(_ name: String) -> String {
        var name = name
        while !taken.insert(ColumnNames.folded(name)).inserted { name = ColumnNames.reserved + name }
        return name
    }

    /// Engines do not tell small letters from capital ones.
    private static func folded(_ name: String) -> ExactText { ExactText(name.lowercased()) }
}
