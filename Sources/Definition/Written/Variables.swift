import SluiceExtract
import SluiceRecords

/// Replaces the variables in the texts of a definition: `${NAME}` and `${NAME:-default}`; `$${` is a literal `${`.
struct Variables {
    /// What stands for the value of a variable whose bytes are no text. No variable can have it: they end at a NUL.
    static let notUTF8 = "\0"

    let environment: [String: String]
    let context: DefinitionContext

    /// The tree of a definition with all its variables replaced.
    func expand(_ root: JSONNode) -> JSONNode {
        guard case .object(let members) = root.kind else { return root }
        let expanded = members.map { member in
            var member = member
            member.value = expand(member.value, under: member.key)
            return member
        }
        return JSONNode(.object(expanded), at: root.position)
    }

    /// The value of a key of the pipeline.
    private func expand(_ node: JSONNode, under key: String) -> JSONNode {
        switch key {
        case "source": return expand(node, source: 0)
        case "sources":
            guard case .object(var members) = node.kind else { return expand(node, for: .settings) }
            for index in members.indices { members[index].value = expand(members[index].value, source: index) }
            return JSONNode(.object(members), at: node.position)
        case "store": return expand(node, for: .store)
        case "archive": return expand(node, for: .archive)
        case "findings": return expand(node, for: .findings)
        case "after": return expand(node, for: .after)
        case "entities": return expand(node, for: .entities)
        default: return expand(node, for: .settings)
        }
    }

    /// A source: how it is read is needed even when a command names another file.
    private func expand(_ node: JSONNode, source index: Int) -> JSONNode {
        guard case .object(var members) = node.kind else { return expand(node, for: .source(index)) }
        for member in members.indices {
            let isNeeded = ["format", "maxText", "maxRecord", "maxDepth"].contains(members[member].key)
            let part: PipelineDefinition.Part = isNeeded ? .settings : .source(index)
            members[member].value = expand(members[member].value, for: part)
        }
        return JSONNode(.object(members), at: node.position)
    }

    private func expand(_ node: JSONNode, for part: PipelineDefinition.Part) -> JSONNode {
        switch node.kind {
        case .string(let text): return JSONNode(.string(replace(text, node, part)), at: node.position)
        case .array(let elements): return JSONNode(.array(elements.map { expand($0, for: part) }), at: node.position)
        case .object(let members):
            let expanded = members.map { JSONMember(key: $0.key, at: $0.position, value: expand($0.value, for: part)) }
            return JSONNode(.object(expanded), at: node.position)
        case .null, .boolean, .number: return node
        }
    }
}

extension Variables {
    private func replace(_ text: String, _ node: JSONNode, _ part: PipelineDefinition.Part) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if rest.starts(with: Array("$${".utf8)) {
                result += "${".utf8
                rest = rest.dropFirst(3)
            } else if rest.starts(with: Array("${".utf8)) {
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
                    context.mistake("this variable has no end: \(Variables.help)", at: node.position)
                    context.noteVariable(at: node.position, isSet: false)
                    return text
                }
                result += value(rest[rest.startIndex + 2..<end], node, part)
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The value of a variable, whose name and default are between the braces; itself, if it has none.
    private func value(_ inside: ArraySlice<UInt8>, _ node: JSONNode, _ part: PipelineDefinition.Part) -> [UInt8] {
        let name = inside.prefix { Variables.isWord($0) }
        let tail = inside.dropFirst(name.count)
        let isPlain = tail.isEmpty || tail.starts(with: Array(":-".utf8))
        let written = Array("${".utf8) + inside + Array("}".utf8)
        guard let first = name.first, !first.isDigit, isPlain else {
            let spelled = quoted(String(decoding: written, as: UTF8.self))
            context.mistake("\(spelled) is no variable: \(Variables.help)", at: node.position)
            context.noteVariable(at: node.position, isSet: false)
            return written
        }
        let word = String(decoding: name, as: UTF8.self)
        let found = environment[word]
        context.noteVariable(at: node.position, isSet: found != nil || !tail.isEmpty)
        if found == Variables.notUTF8 {
            context.pend(
                "the environment variable \(word) holds bytes that are not UTF-8: they cannot stand in a definition",
                for: part, at: node.position)
            return written
        }
        if !tail.isEmpty { return found.flatMap { $0.isEmpty ? nil : Array($0.utf8) } ?? Array(tail.dropFirst(2)) }
        if let found { return Array(found.utf8) }
        context.pend(
            "the environment variable \(word) is not set, and has no default (${\(word):-default})", for: part,
            at: node.position)
        return written
    }

    private static let help = "write ${NAME} or ${NAME:-default}, and $${ for a literal ${"

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
