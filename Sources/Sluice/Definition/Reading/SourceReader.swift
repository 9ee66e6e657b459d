import Extract

/// Reads the sources of a pipeline.
struct SourceReader {
    let context: DefinitionContext

    private static let formats = "\"json\", exactly one document, and \"lines\", a sequence of values"

    /// The sources, in the order of the definition.
    func sources(of pipeline: DefinitionObject) -> [Source] {
        switch (pipeline["source"], pipeline["sources"]) {
        case (nil, nil):
            context.mistake("the pipeline needs \"source\", or \"sources\"", at: pipeline.position)
            return []
        case (.some, .some):
            let position = pipeline.position(of: "sources") ?? pipeline.position
            context.mistake("a pipeline has either \"source\" or \"sources\"", at: position)
            return []
        case (.some(let node), nil):
            return [source(node, name: Source.defaultName, index: 0)].compactMap { $0 }
        case (nil, .some(let node)):
            return sources(node)
        }
    }

    private func sources(_ node: JSONNode) -> [Source] {
        guard let members = context.members(of: node, "\"sources\"") else { return [] }
        if members.isEmpty { context.mistake("\"sources\" must name at least one source", at: node.position) }
        return members.enumerated().compactMap { index, member in
            if member.key.isEmpty || member.key.utf8.contains(UInt8(ascii: "=")) {
                // The command's --feed SOURCE=FILE could not name it.
                context.mistake("the name of a source cannot be empty, and cannot hold =", at: member.position)
            }
            return source(member.value, name: member.key, index: index)
        }
    }

    private func source(_ node: JSONNode, name: String, index: Int) -> Source? {
        guard
            let object = DefinitionObject(
                node, "the source \(quoted(name))", keys: DefinitionKeys.source, refused: SourceReader.refused,
                in: context)
        else { return nil }
        let path = object["url"] == nil && object.required("file") != nil ? location(of: object, index) : nil
        // Without a path there is a mistake, or a variable that nobody who uses the path leaves unset.
        var source = Source(name: name, location: .file(path ?? ""))
        source.format = object.choice("format")
        source.maxText = object.integer("maxText", atLeast: 1, atMost: 1_000_000_000) ?? source.maxText
        source.maxDepth = object.integer("maxDepth", atLeast: 1, atMost: 1_000_000) ?? source.maxDepth
        return source
    }

    private func location(of object: DefinitionObject, _ index: Int) -> String? {
        // Standard input is in no folder.
        object["file"]?.text == "-" ? "-" : object.filePath("file", for: .source(index))
    }

    private static let refused = [
        "url": "this version of sluice does not support \"url\": save the feed, and name it with \"file\""
    ]
}
