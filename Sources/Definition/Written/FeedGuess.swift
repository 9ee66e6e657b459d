import SluiceExtract
import SluiceRecords

/// Tells a feed that was named where a definition is expected.
enum FeedGuess {
    /// What to say of a whole text; nil: it looks like a definition, if perhaps a bad one.
    static func failure(_ tree: JSONTree) -> Failure? {
        guard isFeed(tree.root) else { return nil }
        return Failure(
            .definition,
            "this is a feed, not a definition: a definition says what becomes of its records"
                + " (sluice run PIPELINE --feed \(tree.file)); sluice init \(tree.file) drafts one",
            at: tree.place(tree.root.position))
    }

    /// What to say of a text that is not JSON: it may be a sequence of values, a line each, or a table.
    static func failure(lines text: [UInt8], file: String) -> Failure? {
        if Source.Format(fileName: file).isTable {
            return Failure(
                .definition,
                "\(file) is a table by its name, not a definition: a definition says what becomes of its rows"
                    + " (sluice run PIPELINE --feed \(file)); sluice init \(file) drafts one")
        }
        guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return (try? JSONTree.read(Array(text[..<end]), file: file)).flatMap { failure($0) }
    }

    private static func isFeed(_ root: JSONNode) -> Bool {
        switch root.kind {
        case .array(let elements): return !elements.isEmpty
        case .object(let members):
            // A feed may well have a name, or names.
            let keys = DefinitionKeys.pipeline.filter { !["name", "names"].contains($0) }
            return !members.isEmpty && members.allSatisfy { nearest(to: $0.key, among: keys) == nil }
        default: return false
        }
    }
}
