import SluiceExtract
import SluiceRecords

extension SeedManifest {
    /// More is no manifest.
    static let mostBytes = 4 << 20

    /// Reads a manifest, which may come from anywhere: whatever it names is checked.
    ///
    /// - Throws: `data`.
    package init(_ bytes: [UInt8], named file: String) throws(Failure) {
        let tree: JSONTree
        do throws(Failure) {
            tree = try JSONTree.read(bytes, file: file)
        } catch {
            throw Failure(.data, "this is no manifest of a seed: \(error.message)", at: error.place)
        }
        self = try ManifestReader(tree: tree).manifest()
    }
}

/// Reads the tree of a manifest.
private struct ManifestReader {
    let tree: JSONTree

    func manifest() throws(Failure) -> SeedManifest {
        let root = tree.root
        let format = try number(root, "format")
        guard format == UInt64(SeedManifest.format) else {
            throw wrong(root, "the manifest is of format \(format), and this version of sluice reads 1")
        }
        let name = try text(root, "name")
        guard SeedName.isSound(name) else { throw wrong(root, "\(CanonicalJSON.text(name)) is no name of a seed") }
        var counts: [Int] = []
        let model = try model(try member(root, "entities"), &counts)
        var manifest = SeedManifest(
            name: name, version: try version(root, "version"), created: try text(root, "created"),
            sluice: try text(root, "sluice"), sqlite: try text(root, "sqlite"), modelHash: try hash(root, "model"),
            content: try hash(root, "content"), model: model, objects: counts,
            whole: try whole(try member(root, "whole")), deltas: try deltas(try member(root, "deltas")))
        if root["waiting"] != nil { manifest.waiting = try hash(root, "waiting") }
        guard try model.hash() == manifest.modelHash else {
            throw wrong(root, "the manifest is damaged: \"model\" is not the hash of its entities")
        }
        return manifest
    }

    // MARK: Its parts

    private func model(_ node: JSONNode, _ counts: inout [Int]) throws(Failure) -> SeedModel {
        var entities: [(SeedEntity, Int)] = []
        for member in try members(node, "entities") {
            let value = member.value
            var attributes: [SeedEntity.Attribute] = []
            for attribute in try members(try self.member(value, "attributes"), "attributes") {
                guard let type = CanonicalJSON.value(attribute.value) else { throw wrong(attribute.value, "no type") }
                attributes.append(SeedEntity.Attribute(name: attribute.key, type: type))
            }
            var relationships: [SeedEntity.Relationship] = []
            for relationship in try members(try self.member(value, "relationships"), "relationships") {
                guard case .boolean(let isMany)? = relationship.value["many"]?.kind else {
                    throw wrong(relationship.value, "\"many\" must be true or false")
                }
                relationships.append(
                    SeedEntity.Relationship(
                        name: relationship.key, targets: try texts(relationship.value, "to"), isMany: isMany))
            }
            let entity = SeedEntity(
                name: member.key, table: try text(value, "table"), identifier: try texts(value, "identifier"),
                attributes: attributes, relationships: relationships,
                search: value["search"].flatMap(CanonicalJSON.value), near: value["near"].flatMap(CanonicalJSON.value))
            entities.append((entity, Int(clamping: try number(value, "objects"))))
        }
        entities.sort { $0.0.name.utf8.lexicographicallyPrecedes($1.0.name.utf8) }
        counts = entities.map(\.1)
        return SeedModel(entities.map(\.0))
    }

    private func whole(_ node: JSONNode) throws(Failure) -> SeedManifest.Whole {
        SeedManifest.Whole(
            file: try file(node), bytes: try number(node, "bytes"), sha256: try hash(node, "sha256"),
            expandedBytes: try number(node, "expandedBytes"), expandedSha256: try hash(node, "expandedSha256"))
    }

    private func deltas(_ node: JSONNode) throws(Failure) -> [SeedManifest.Delta] {
        guard case .array(let elements) = node.kind else { throw wrong(node, "\"deltas\" must be a list") }
        var deltas: [SeedManifest.Delta] = []
        for element in elements {
            deltas.append(
                SeedManifest.Delta(
                    from: try version(element, "from"), fromContent: try hash(element, "fromContent"),
                    file: try file(element), bytes: try number(element, "bytes"), sha256: try hash(element, "sha256"),
                    expandedBytes: try number(element, "expandedBytes")))
        }
        return deltas
    }

    // MARK: Values

    private func file(_ node: JSONNode) throws(Failure) -> String {
        let name = try text(node, "file")
        guard SeedName.isSound(name) else {
            throw wrong(node, "\(CanonicalJSON.text(name)) is no name of a file beside the manifest")
        }
        return name
    }

    private func hash(_ node: JSONNode, _ key: String) throws(Failure) -> String {
        let text = try text(node, key)
        guard text.utf8.count == 64, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
            throw wrong(node, "\"\(key)\" must be a SHA-256 in lowercase hexadecimal")
        }
        return text
    }

    private func version(_ node: JSONNode, _ key: String) throws(Failure) -> Int {
        let number = try number(node, key)
        guard number >= 1, number <= UInt64(Int32.max) else { throw wrong(node, "\"\(key)\" must be a version from 1") }
        return Int(number)
    }

    private func number(_ node: JSONNode, _ key: String) throws(Failure) -> UInt64 {
        guard case .number(let text) = try member(node, key).kind, let number = UInt64(text), number <= .max / 2 else {
            throw wrong(node, "\"\(key)\" must be a whole number from 0")
        }
        return number
    }

    private func text(_ node: JSONNode, _ key: String) throws(Failure) -> String {
        guard case .string(let text) = try member(node, key).kind else {
            throw wrong(node, "\"\(key)\" must be a text")
        }
        return text
    }

    private func texts(_ node: JSONNode, _ key: String) throws(Failure) -> [String] {
        guard case .array(let elements) = try member(node, key).kind else {
            throw wrong(node, "\"\(key)\" must be a list")
        }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element.kind else { throw wrong(element, "a text was expected here") }
            texts.append(text)
        }
        return texts
    }

    private func members(_ node: JSONNode, _ what: String) throws(Failure) -> [JSONMember] {
        guard case .object(let members) = node.kind else { throw wrong(node, "\"\(what)\" must be an object") }
        guard Set(members.map { ExactText($0.key) }).count == members.count else {
            throw wrong(node, "a name is repeated in \"\(what)\"")
        }
        return members
    }

    private func member(_ node: JSONNode, _ key: String) throws(Failure) -> JSONNode {
        guard case .object = node.kind else { throw wrong(node, "an object was expected here") }
        guard let member = node[key] else { throw wrong(node, "\"\(key)\" is missing") }
        return member
    }

    private func wrong(_ node: JSONNode, _ message: String) -> Failure {
        Failure(.data, message, at: tree.place(node.position))
    }
}
