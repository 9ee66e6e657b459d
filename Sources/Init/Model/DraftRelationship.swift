/// A reference that was found.
struct DraftRelationship {
    /// Empty: what it leads to says it.
    var name = ""
    /// The members that lead to the objects in the record that it is about; none: nobody has said.
    var way: [String] = []
    var column: DraftColumn?
    /// The attribute of the target whose values these are; nil: its identifier.
    var by: DraftColumn?
    /// To the entity in whose records these are, or to one that is embedded in them.
    var basis: Basis = .column
    var targets: [DraftEntity]
    /// What names the entity of each target, and by which of its values it names those of `targets`; nil: nothing does.
    var kinds: (column: DraftColumn, values: [String])?
    var isMany = false
    /// What stands between the identifiers in a text that has several; nil: it has one.
    var separator: String?
    /// Of one to many: whether each target is named once by a record.
    var isSet = false
    /// Words by which records say that they refer to nothing.
    var missing: [String] = []
    /// What was measured.
    var remark = ""
    /// Whether none of the values was found.
    var isByName = false

    /// By the values of a column.
    init(_ column: DraftColumn, to targets: [DraftEntity], by: DraftColumn? = nil, remark: String = "") {
        (self.column, self.targets, self.by, self.remark) = (column, targets, by, remark)
        (isMany, isSet) = (column.content != .scalar, column.hasRepeats == false)
    }

    init(_ basis: Basis, to target: DraftEntity, remark: String = "") {
        (self.basis, targets, self.remark) = (basis, [target], remark)
    }

    var isByOwner: Bool { if case .owner = basis { true } else { false } }

    /// Whether a column says, together with others, what is meant.
    func isBy(_ column: DraftColumn) -> Bool {
        if case .columns(let columns) = basis { columns.contains { $0 === column } } else { false }
    }

    func leads(to entity: DraftEntity) -> Bool { targets.contains { $0 === entity } }

    func isEmbedded(at path: [String]) -> Bool { if case .embedded(path) = basis { true } else { false } }

    enum Basis {
        case column, owner
        /// By several values, one for each part of the identifier.
        case columns([DraftColumn])
        case embedded([String])
        /// To what is in another list of a record around.
        case sibling(DraftEntity, DraftColumn)
        /// To what is in a list, or alone in the place of one.
        case listed(String, alone: String? = nil)
    }
}
