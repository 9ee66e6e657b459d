import SluiceDefinition
import SluiceRecords

extension Finding {
    /// The finding with its message, and with the names of its source and its file.
    func withNames(of feeds: [Feed]) -> Finding {
        var finding = self
        let feed = feeds.feed(at: at.position)
        finding.at.source = feed.source
        finding.at.file = feed.name(ofFile: at.position.file)
        finding.message = sentence(feeds)
        return finding
    }

    /// The finding as a sentence, with its place before it as compilers write it.
    package func text(_ feeds: [Feed]) -> String { (isPlaced ? at.toldPlace(feeds) + ": " : "") + sentence(feeds) }

    /// Without the place.
    func sentence(_ feeds: [Feed]) -> String {
        let object = identifier == "null" ? entityName : "\(entityName) \(identifier)"
        return kind.row.sentence(self, object, feeds) ?? object
    }
}
