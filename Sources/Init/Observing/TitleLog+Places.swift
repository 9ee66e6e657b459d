// Whether a feed may say what is at the positions of lists, before its texts were looked at.
extension TitleLog {
    /// Whether each document has a list, once, of so many texts, or of so many objects with texts, that is called as
    /// lists of names are.
    static func mayName(_ count: Int, in tree: ShapeTree) -> Bool {
        (0..<Int32(tree.count)).contains { list in
            let documents = tree[list].counts.arrays
            guard isList(list, tree), documents > 0, tree.isSingleInDocument(list), tree[list].element >= 0 else {
                return false
            }
            let element = tree[list].element
            let counts = tree[element].counts
            return tree[element].parent == list && counts.values == count * documents
                && (counts.texts == counts.values || counts.objects == counts.values)
        }
    }
}
