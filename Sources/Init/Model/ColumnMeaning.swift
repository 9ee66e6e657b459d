/// What the name of a column says.
final class ColumnMeaning {
    private unowned let column: DraftColumn
    private(set) lazy var member = MemberName(column.ownName)
    /// How much the name is like that of an identifier of what its object is called in the feed.
    private(set) lazy var rank =
        isAnswer ? NameRank.other : Names.rank(valueName ?? column.ownName, of: column.entity.place.name)
    /// The names that may say what it refers to.
    private(set) lazy var names = meaningNames.map(MemberName.init)
    /// What the list is called in which objects have it as their own identifier: the `id` in a list of `companies` may
    /// be that of a company, of which the objects are no records. Nil: it is no such identifier, or the list says
    /// nothing.
    private(set) lazy var ofList = listName.map { MemberName($0 + "_id") }
    /// Whether it is called as references are.
    private(set) lazy var isReference = Names.isReference(column.ownName)

    init(_ column: DraftColumn) { self.column = column }

    /// Whether `no` is no number, but stands beside `yes`.
    private var isAnswer: Bool {
        column.ownName.lowercased() == "no"
            && column.entity.columns.contains { $0.ownName.lowercased() == "yes" && $0.parent == column.parent }
    }

    /// What a value is called that has another one beside it, as people read it: `"sys_id": { "value": "6f…",
    /// "display_value": "6f…" }`; nil: it is called by itself.
    private var valueName: String? {
        guard column.ownName == "value" else { return nil }
        guard let name = column.parent.last else { return nameOfReference }
        let isShown = column.entity.columns.contains { other in
            other.parent == column.parent && ["display_value", "displayvalue"].contains(other.ownName.lowercased())
        }
        return isShown ? name : nil
    }

    /// What an object in a record that refers to another one has is the identifier of that.
    private var nameOfReference: String? {
        let isOfReference =
            column.entity.isEmbedded && Names.isReferenceObject(column.entity.place.name)
            && column.entity.columns.contains { Names.isName($0.ownName) }
        return isOfReference ? "id" : nil
    }

    private var listName: String? {
        guard column.isOwnMember, column.entity.owner != nil, !column.entity.isEmbedded,
            Names.isPlainIdentifier(column.ownName)
        else { return nil }
        return ShapeStep.members(column.entity.place.steps).last { !Names.isGeneric($0) }
    }

    private var meaningNames: [String] {
        switch column.origin {
        // The id of an author in `author` is `author`.
        case .member(let path) where path.count > 1: return [column.ownName, path[path.count - 2] + "_id"]
        case .key(let steps):
            return ShapeStep.members(column.entity.place.steps[..<(steps - 1)]).suffix(1)
        default: return [column.ownName]
        }
    }
}
