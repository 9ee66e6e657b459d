import TestSupport

extension TestDefinition {
    /// Names that FTS5 keeps for itself.
    private static let kept = ["rank", "rowid"]

    /// Lets objects of some entities be found by words and places, or not any more: anew on each call.
    mutating func drawSearches(_ random: inout SeededRandom) {
        for index in entities.indices {
            let texts = attributes(of: index, type: .text).filter { attribute in
                !TestDefinition.kept.contains(entities[index].attributes[attribute].name.lowercased())
            }
            entities[index].searched = []
            if random.below(8) > 0 {
                entities[index].searched = Array(texts.shuffled(using: &random).prefix(1 + random.below(2)))
            }
            entities[index].tokenizer = [nil, nil, "unicode61 remove_diacritics 0"][random.below(3)]
            let reals = attributes(of: index, type: .real).shuffled(using: &random)
            entities[index].place = nil
            if reals.count > 1, random.below(2) == 0 { entities[index].place = (reals[0], reals[1]) }
        }
    }

    /// Of those that the definition names, and that are no lists.
    private func attributes(of index: Int, type: TestType) -> [Int] {
        entities[index].attributes.indices.filter { place in
            let attribute = entities[index].attributes[place]
            return attribute.type == type && !attribute.isMany && !attribute.isFound && attribute.relationship == nil
        }
    }
}
