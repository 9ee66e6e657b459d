import SluiceRecords

/// Names of files without their endings, where other records name the files so: `"categories": ["text"]`, and
/// `categories/text.json`.
struct FileStems {
    let entities: [DraftEntity]
    let feeds: [SurveyedFeed]

    /// Lets the entities of a feed whose files are named so take these names without their endings.
    func settle() {
        let relationships = entities.filter { !$0.isDropped }.flatMap(\.relationships).filter { !isAround($0) }
        for feed in feeds where !feed.ending.isEmpty {
            let isKnown = relationships.flatMap(\.targets).contains { target in
                target.place.feed == feed.index && target.identifier?.columns.contains(where: \.isFile) == true
            }
            let dot = feed.ending.replacingExactly(".", with: "\\.")
            for entity in entities where entity.place.feed == feed.index {
                (entity.place.stem, entity.place.isKnownByStem) = ("(.+)\(dot)$", isKnown)
            }
        }
    }

    /// Whether a reference leads to what is around a record, by the same name of the same file.
    private func isAround(_ relationship: DraftRelationship) -> Bool {
        switch relationship.basis {
        case .owner, .sibling: true
        case .column, .columns, .embedded, .listed: false
        }
    }

    /// Whether a reference is the name of the file: what it leads to has no ending.
    static func isName(_ relationship: DraftRelationship) -> Bool {
        if case .columns(let columns) = relationship.basis { return columns.contains(where: \.isFile) }
        return relationship.column?.isFile == true
    }

    /// A member of an entity whose value is the name of the file.
    static func text(_ text: String, in entity: DraftEntity) -> String {
        guard let stem = entity.place.stem else { return text }
        let file = DraftText.quoted(DraftPaths.file)
        let match = "\"match\": \(DraftText.quoted(stem))"
        let nested = "{ \"from\": \(file), \(match) }"
        let from = "\"from\": \(file)"
        guard text.contains(from), !text.contains("\"match\"") else { return text.replacingExactly(file, with: nested) }
        return text.replacingExactly(from, with: "\(from), \(match)")
    }
}
