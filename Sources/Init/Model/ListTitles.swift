import SluiceRecords

/// What a document says, in one list, of the positions of records that are lists: a run compares it (`columns`).
struct ListTitles: Equatable {
    /// As a definition has it: `$.fields[*]`.
    let path: String
    let names: [String]

    /// Nil: no path leads to that one list alone.
    ///
    /// - Parameter steps: the way to the texts.
    init?(_ steps: [ShapeStep], _ names: [String]) {
        guard steps.count(where: { $0 == .element }) == 1, !steps.contains(.anyMember), steps.first != .element else {
            return nil
        }
        self.path = DraftPaths.text(steps)
        self.names = names
    }

    /// The first of some lists says it.
    ///
    /// - Parameter steps: the way to these lists.
    init?(_ steps: [ShapeStep], first names: [String]?) {
        guard let names else { return nil }
        self.init(steps + [.position(0), .element], names)
    }

    var text: String { "\(JSONText.quoted(path)): [\(names.map(DraftText.quoted).joined(separator: ", "))]" }
}
