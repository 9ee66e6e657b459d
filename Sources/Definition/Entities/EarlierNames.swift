import SluiceExtract
import SluiceRecords

/// Checks `was`: an earlier name belongs to one thing, and to nothing that is there now.
struct EarlierNames {
    let context: DefinitionContext
    let drafts: [UnlinkedEntity]
    let entities: [Entity]

    func check() {
        check("entity", names: entities.map(\.name), objects: drafts.map { $0.object?.node })
        for draft in drafts {
            let members = ["attributes", "relationships"].flatMap { key -> [JSONMember] in
                guard case .object(let members)? = draft.object?[key]?.kind else { return [] }
                return members
            }
            check("attribute or relationship", names: members.map(\.key), objects: members.map(\.value))
        }
    }

    private func check(_ kind: String, names: [String], objects: [JSONNode?]) {
        let present = Set(names.map(NameChecks.folded))
        var taken: Set<[UInt8]> = []
        for was in objects.compactMap({ $0?["was"] }) {
            for element in was.elements {
                guard let name = element.text, !context.isUnset(element) else { continue }
                if present.contains(NameChecks.folded(name)) {
                    context.mistake(
                        "\(quoted(name)) is the present name of an \(kind): it cannot be an earlier one",
                        at: element.position)
                } else if !taken.insert(NameChecks.folded(name)).inserted {
                    context.mistake(
                        "\(quoted(name)) is the earlier name of two: it can be of one", at: element.position)
                }
            }
        }
    }
}
