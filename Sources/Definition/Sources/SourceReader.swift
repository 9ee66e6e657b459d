import SluiceExtract
import SluiceFetch
import SluicePosix

/// Reads the sources of a pipeline.
struct SourceReader {
    let context: DefinitionContext

    /// The sources, in the order of the definition.
    func sources(of pipeline: DefinitionObject) -> [Source] {
        switch (pipeline["source"], pipeline["sources"]) {
        case (nil, nil):
            if SourceReader.isForPrograms(pipeline) {
                if let position = pipeline.position(of: "archive") {
                    context.mistake("\"archive\" saves feeds, and the pipeline has no \"source\"", at: position)
                }
            } else {
                context.mistake("the pipeline needs \"source\", or \"sources\"", at: pipeline.position)
            }
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

    /// Whether all its entities belong to programs: then there is no feed.
    private static func isForPrograms(_ pipeline: DefinitionObject) -> Bool {
        guard case .object(let entities)? = pipeline["entities"]?.kind, !entities.isEmpty else { return false }
        return entities.allSatisfy { $0.value["records"] == nil }
    }

    private func sources(_ node: JSONNode) -> [Source] {
        guard let members = context.members(of: node, "\"sources\"") else { return [] }
        if members.isEmpty { context.mistake("\"sources\" must name at least one source", at: node.position) }
        if let key = members.first(where: SourceReader.isKey) {
            context.mistake(
                "\(quoted(key.key)) is a key of a source, and \"sources\" has sources by name, as in"
                    + " { \"main\": { \(quoted(key.key)): … } }: did you mean \"source\"?", at: key.position)
            return []
        }
        return members.enumerated().compactMap { index, member in
            if member.key.isEmpty || member.key.utf8.contains(UInt8(ascii: "=")) {
                // The command's --feed SOURCE=FILE could not name it.
                context.mistake("the name of a source cannot be empty, and cannot hold =", at: member.position)
            }
            return source(member.value, name: member.key, index: index)
        }
    }

    /// Whether a member is the key of a source that is not told by its name.
    private static func isKey(_ member: JSONMember) -> Bool {
        ["command", "file", "url"].contains(member.key) && !member.value.isObject
    }

    private func source(_ node: JSONNode, name: String, index: Int) -> Source? {
        guard
            let object = DefinitionObject(
                node, "the source \(quoted(name))", keys: DefinitionKeys.source,
                meant: { $0.asMember { $0.contains("://") ? "url" : "file" } }, in: context)
        else { return nil }
        var source = Source(name: name, location: location(of: object, index))
        source.format = object.choice("format")
        source.isNew = isNew(object, source)
        source.encoding = encoding(of: object, source)
        TableReader(context: context).read(object, into: &source)
        FailsReader.check(object, source)
        source.columns = NamedColumnsReader(context: context).columns(of: object, source)
        source.maxText = object.integer("maxText", atLeast: 1, atMost: 1_000_000_000) ?? source.maxText
        source.maxRecord = object.integer("maxRecord", atLeast: 1, atMost: 64_000_000_000) ?? source.maxRecord
        source.maxDepth = object.integer("maxDepth", atLeast: 1, atMost: 1_000_000) ?? source.maxDepth
        return source
    }

    /// Whether only new files are read.
    private func isNew(_ object: DefinitionObject, _ source: Source) -> Bool {
        guard let position = object.position(of: "new") else { return false }
        switch source.location {
        case .web, .command: context.mistake("\"new\" is for files", at: position)
        case .file("-"): context.mistake("\"new\" is for files, and standard input is none", at: position)
        case .file, .objects, .remote: break
        }
        return object.boolean("new") ?? false
    }

    /// The encoding, where it is another one than UTF-8.
    private func encoding(of object: DefinitionObject, _ source: Source) -> String? {
        guard let node = object["encoding"], let name = context.text(node, "encoding") else { return nil }
        if ["utf-8", "utf8"].contains(name.lowercased()) { return nil }
        if !TextEncoding.isKnown(name) {
            let near = nearest(to: name, among: TextEncoding.usual)
            context.mistake(
                "there is no encoding \(quoted(name))"
                    + (near.map { ": did you mean \(quoted($0))?" } ?? ", such as windows-1252, iso-8859-1 or utf-16"),
                at: node.position)
        } else if object["url"] != nil, object["member"] == nil, !source.expectedFormat.isTable {
            context.mistake("the JSON of services is UTF-8: \"encoding\" is for tables and archives", at: node.position)
        }
        return name
    }

    private func location(of object: DefinitionObject, _ index: Int) -> Source.Location {
        let given = ["file", "url", "command"].filter { object[$0] != nil }
        if given.count > 1 {
            let position = object.position(of: given[1]) ?? object.position
            context.mistake("a source has either \(quoted(given[0])) or \(quoted(given[1]))", at: position)
        }
        switch given.first {
        case "url" where given.count == 1: return .web(WebReader(context: context, index: index).service(of: object))
        case "command": return .command(command(of: object))
        case nil: context.mistake("\(object.what) needs \"file\", \"url\" or \"command\"", at: object.position)
        default: if given.count == 1 { refuseWebKeys(of: object) }
        }
        // Without a path there is a mistake, or a variable that nobody who uses the path leaves unset. Standard input
        // is in no folder.
        let member = MemberReader(context: context).member(of: object)
        if object["file"]?.text == "-" { return .file("-") }
        if let objects = objects(of: object, member) { return .objects(objects) }
        if let files = remoteFiles(of: object, member) { return .remote(files) }
        let path = object.filePath("file", for: .source(index)) ?? ""
        return .file(path.isEmpty ? "" : path + (member.map { "/" + $0 } ?? ""))
    }

    /// Objects of a service that speaks S3; nil: it is a file.
    private func objects(of object: DefinitionObject, _ member: String?) -> ObjectSource? {
        guard let node = object["file"], let text = node.text, text.hasPrefix(ObjectPattern.scheme) else { return nil }
        refusePattern(member, "of objects", at: node)
        do throws(AddressError) {
            return ObjectSource(pattern: try ObjectPattern(text), member: member)
        } catch {
            context.mistake("\"file\" \(error.message)", at: node.position)
            return nil
        }
    }

    /// Files of a machine that is reached by SFTP; nil: they are something else.
    private func remoteFiles(of object: DefinitionObject, _ member: String?) -> RemoteSource? {
        guard let node = object["file"], let text = node.text, text.hasPrefix(RemotePattern.scheme) else { return nil }
        refusePattern(member, "of files by SFTP", at: node)
        do throws(AddressError) {
            return RemoteSource(pattern: try RemotePattern(text), member: member)
        } catch {
            context.mistake("\"file\" \(error.message)", at: node.position)
            return nil
        }
    }

    private func refusePattern(_ member: String?, _ what: String, at node: JSONNode) {
        guard member?.utf8.contains(where: { "*?[".utf8.contains($0) }) == true else { return }
        context.mistake("\(what), \"member\" names one file, and no pattern", at: node.position)
    }

    /// A command whose output is the feed. Without a program there is a mistake, or a variable that nobody who starts
    /// it leaves unset.
    private func command(of object: DefinitionObject) -> CommandSource {
        refuseWebKeys(of: object, except: ["timeout"])
        if let position = object.position(of: "member") {
            context.mistake("\"member\" is for archives: let the command print the file itself", at: position)
        }
        let arguments = object["command"].flatMap { HookReader(context: context).arguments($0, "command") }
        var command = CommandSource(arguments: arguments ?? [""], folder: FilePath.folder(context.file))
        command.timeout =
            object.amount("timeout", Quantities.timeout, expected: Quantities.durationHelp) ?? command.timeout
        return command
    }

    private func refuseWebKeys(of object: DefinitionObject, except allowed: [String] = []) {
        for key in DefinitionKeys.web where object[key] != nil && !allowed.contains(key) {
            let position = object.position(of: key) ?? object.position
            context.mistake("\(quoted(key)) is for web services, which have a \"url\"", at: position)
        }
    }
}
