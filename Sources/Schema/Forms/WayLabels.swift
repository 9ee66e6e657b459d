import SluiceRecords

/// What distinguishes, on the waiting list, the values of one way to find a target: the number of the way, the target
/// (where ways lead to several), the attributes and their forms.
package struct WayLabels: Sendable {
    /// As this run writes it, and as definitions with earlier names wrote it.
    private let labels: [String]
    /// As definitions wrote it whose ways led to one target, where these lead to several; or the other way round.
    /// (Earlier versions of sluice never named the target.)
    private let otherwise: [String]
    /// As this run writes it.
    package var own: String { labels[0] }

    fileprivate init(_ labels: [String], otherwise: [String]) { (self.labels, self.otherwise) = (labels, otherwise) }

    /// The place of the way's value among those that wait; nil: there is none. The ways of a definition may have been
    /// in another order: then the number is another one.
    package func place(in members: [StoredJSON.Member]) -> Int? {
        (labels + otherwise).lazy.compactMap { label in members.firstIndex { $0.key.isIdentical(to: label) } }.first
            ?? labels.lazy.compactMap { label in
                let name = WayLabels.name(of: label)
                return members.firstIndex { WayLabels.name(of: $0.key).utf8.elementsEqual(name.utf8) }
            }.first
    }

    /// Names that are looked for.
    fileprivate static let most = 100

    /// What follows the number.
    private static func name(of label: String) -> Substring {
        label.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
    }
}

extension Relationship {
    /// What distinguishes the values of a way.
    ///
    /// - Parameter forms: of its attributes; nil: those of the model.
    package func wayLabels(_ index: Int, in model: Model, forms: [StoredForm]? = nil) -> WayLabels {
        let way = ways[index]
        let entity = model.entities[targets[way.target].entity]
        // Another pipeline may have renamed the attribute in the store, and knows nothing of the ways of this one.
        let all = way.attributes.reduce([[String]()]) { lists, attribute in
            let known = [entity.attributes[attribute].name] + entity.attributes[attribute].was
            return Array(lists.flatMap { list in known.map { list + [$0] } }.prefix(WayLabels.most))
        }
        let forms = forms ?? way.conversions.map(\.stored)
        let otherwise = all.map { wayLabel(index, nil, $0, forms) }
        let named = ([entity.name] + entity.was).flatMap { target in
            all.map { wayLabel(index, target, $0, forms) }
        }
        return waysLeadToSeveral ? WayLabels(named, otherwise: otherwise) : WayLabels(otherwise, otherwise: named)
    }

    /// Whether the labels of ways name their targets.
    package var waysLeadToSeveral: Bool { ways.contains { $0.target != ways[0].target } }

    /// What distinguishes the values of one way.
    ///
    /// - Parameters:
    ///   - target: the name of the entity, where ways lead to several.
    ///   - names: of the way's attributes, as they are or as they were.
    ///   - forms: of these attributes.
    package func wayLabel(_ index: Int, _ target: String?, _ names: [String], _ forms: [StoredForm]) -> String {
        let target = target.map { Relationship.word($0) + ":" }
        let words = ["by", "\(index + 1)"] + [target].compactMap { $0 } + names.map(Relationship.word)
        return (words + forms.map(\.name)).joined(separator: " ")
    }

    package func attributeNames(ofWay index: Int, in model: Model) -> [String] {
        let entity = model.entities[targets[ways[index].target].entity]
        return ways[index].attributes.map { entity.attributes[$0].name }
    }

    /// A name without what means something in a path of SQLite's JSON.
    private static func word(_ name: String) -> String {
        name.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber) ? String(character) : "_\(byte)_"
        }.joined()
    }
}
