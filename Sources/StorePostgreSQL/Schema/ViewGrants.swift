import SluiceRecords
import SluiceSchema

/// A right that a role has on a view.
struct ViewGrant {
    /// What is granted, and to whom, as SQL has both.
    var privilege: String
    var grantee: String
}

/// The rights on views that a run has removed, so that tables under them can be changed: who could read such a view
/// reads the one that takes its place.
final class ViewGrants {
    private let renaming: Renaming
    /// By the name of the view.
    private var removed: [ExactText: [ViewGrant]] = [:]

    init(_ renaming: Renaming) { self.renaming = renaming }

    func note(_ grants: [ViewGrant], on view: String) { removed[ExactText(view)] = grants }

    /// Those on the view that a new one takes the place of: of the same table, which may have had another name.
    func inherited(by view: String) -> [ViewGrant] {
        if let own = removed[ExactText(view)] { return own }
        let before = renaming.tables.compactMap { move -> String? in
            if Entity.view(of: move.to).isIdentical(to: view) { return Entity.view(of: move.from) }
            return Entity.pastView(of: move.to).isIdentical(to: view) ? Entity.pastView(of: move.from) : nil
        }
        return before.first.flatMap { removed[ExactText($0)] } ?? []
    }
}
