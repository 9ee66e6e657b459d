import SluiceExtract
import SluiceRecords

/// Reads which file of an archive is the feed: `member`.
struct MemberReader {
    let context: DefinitionContext

    /// Its path in the archive; nil: there is none, or it is a mistake.
    func member(of source: DefinitionObject) -> String? {
        guard let node = source["member"], let text = context.text(node, "member", expected: "a path in the archive")
        else { return nil }
        let isPath = text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            !["", ".", ".."].contains($0)
        }
        if !isPath {
            context.mistake("\"member\" must be a path in the archive, such as stops.txt", at: node.position)
        }
        if source["file"]?.text == "-" {
            context.mistake("\"member\" is for archives, and standard input is none", at: node.position)
        }
        guard source["url"] != nil else { return text }
        if text.utf8.contains(where: { "*?[".utf8.contains($0) }) {
            context.mistake("with \"url\", \"member\" names one file, and no pattern", at: node.position)
        }
        for key in ["pages", "for", "since", "fails"] {
            guard let position = source.position(of: key) else { continue }
            context.mistake("\(quoted(key)) is for answers, and \"member\" for an archive", at: position)
        }
        return text
    }
}
