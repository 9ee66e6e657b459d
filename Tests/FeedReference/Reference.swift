import SluiceRecords

/// A feed as a tree, parsed in the simplest way, and matched in the simplest way: what the reader is compared with.
package final class Node {
    package enum Kind { case null, yes, no, number, string, array, object }

    package let kind: Kind
    package let start: Int
    package var end: Int
    /// Of a scalar: its text, decoded.
    package var text = ""
    /// Of a string: whether it holds a surrogate without its partner.
    package var isBroken = false
    /// Of an object: whether such a string is one of its keys.
    package var hasBrokenKey = false
    /// Of an object: whether one of its keys is there twice.
    package var hasRepeatedKey = false
    /// The last of several members of one key; in the order of the feed.
    package var children: [(step: Path.Step, node: Node)] = []
    /// Without the white space between tokens.
    package var json = ""

    init(_ kind: Kind, _ start: Int) {
        self.kind = kind
        self.start = start
        end = start
    }

    /// Whether a scalar is something: null and an empty text say that there is nothing.
    var isFilled: Bool {
        switch kind {
        case .null, .array, .object: false
        case .yes, .no, .number: true
        case .string: !text.isEmpty && !isBroken
        }
    }
}

package struct ReferenceParser {
    private let bytes: [UInt8]
    private var at = 0

    init(_ feed: [UInt8]) { bytes = feed }

    /// The values of a valid feed.
    package static func values(of feed: [UInt8]) -> [Node] {
        var parser = ReferenceParser(feed)
        var values: [Node] = []
        parser.skipSpace()
        while parser.at < feed.count {
            values.append(parser.value())
            parser.skipSpace()
        }
        return values
    }

    private var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

    private mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { at += 1 }
    }

    private mutating func value() -> Node {
        let start = at
        let node: Node
        switch byte {
        case UInt8(ascii: "{"): node = object()
        case UInt8(ascii: "["): node = array()
        case UInt8(ascii: "\""): node = string()
        case UInt8(ascii: "t"): node = literal(.yes, 4)
        case UInt8(ascii: "f"): node = literal(.no, 5)
        case UInt8(ascii: "n"): node = literal(.null, 4)
        default: node = number()
        }
        node.end = at
        if node.json.isEmpty { node.json = String(decoding: bytes[start..<at], as: UTF8.self) }
        return node
    }

    private mutating func literal(_ kind: Node.Kind, _ length: Int) -> Node {
        defer { at += length }
        return Node(kind, at)
    }

    private mutating func number() -> Node {
        let node = Node(.number, at)
        while "+-.eE0123456789".utf8.contains(byte) { at += 1 }
        node.text = String(decoding: bytes[node.start..<at], as: UTF8.self)
        return node
    }

    private mutating func string() -> Node {
        let node = Node(.string, at)
        var units: [UInt16] = []
        var plain: [UInt8] = []
        func flush() {
            units += Array(String(decoding: plain, as: UTF8.self).utf16)
            plain = []
        }
        at += 1
        while byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                flush()
                at += 1
                units.append(escape())
            } else {
                plain.append(byte)
                at += 1
            }
        }
        flush()
        at += 1
        node.text = String(decoding: units, as: UTF16.self)
        // What is no text comes back as other units.
        node.isBroken = Array(node.text.utf16) != units
        return node
    }

    private mutating func escape() -> UInt16 {
        defer { at += 1 }
        switch byte {
        case UInt8(ascii: "u"):
            defer { at += 4 }
            return UInt16(String(decoding: bytes[at + 1...at + 4], as: UTF8.self), radix: 16) ?? 0
        case UInt8(ascii: "n"): return 0x0a
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "r"): return 0x0d
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0c
        default: return UInt16(byte)
        }
    }

    private mutating func array() -> Node {
        let node = Node(.array, at)
        at += 1
        skipSpace()
        while byte != UInt8(ascii: "]") {
            node.children.append((.index(node.children.count), value()))
            skipSpace()
            if byte == UInt8(ascii: ",") { at += 1 }
            skipSpace()
        }
        at += 1
        node.json = "[" + node.children.map(\.node.json).joined(separator: ",") + "]"
        return node
    }

    private mutating func object() -> Node {
        let node = Node(.object, at)
        var texts: [String] = []
        at += 1
        skipSpace()
        while byte != UInt8(ascii: "}") {
            let key = value()
            skipSpace()
            at += 1
            skipSpace()
            let child = value()
            texts.append(key.json + ":" + child.json)
            node.hasBrokenKey = node.hasBrokenKey || key.isBroken
            let count = node.children.count
            node.children.removeAll { $0.step == .name(key.text) }
            node.hasRepeatedKey = node.hasRepeatedKey || node.children.count < count
            node.children.append((.name(key.text), child))
            skipSpace()
            if byte == UInt8(ascii: ",") { at += 1 }
            skipSpace()
        }
        at += 1
        node.json = "{" + texts.joined(separator: ",") + "}"
        return node
    }
}

/// A node, and how one came there.
struct Match {
    var node: Node
    var steps: [Path.Step]
    /// From the top to the one that contains it.
    var parents: [Match] = []

    func children() -> [Match] {
        node.children.map { Match(node: $0.node, steps: steps + [$0.step], parents: parents + [self]) }
    }
    func descendants() -> [Match] { children().flatMap { [$0] + $0.descendants() } }

    func follow(_ path: ArraySlice<Path.Step>) -> [Match] {
        guard let step = path.first else { return [self] }
        let found: [Match] =
            switch step {
            case .name, .index: children().filter { $0.steps.last == step }
            case .wildcard, .indexFromEnd, .filter: children()
            case .descendantName(let name): descendants().filter { $0.steps.last == .name(name) }
            case .descendantWildcard: descendants()
            }
        // In the order of the feed, each node once.
        var seen: Set<Int> = []
        return found.flatMap { $0.follow(path.dropFirst()) }.sorted { $0.node.start < $1.node.start }
            .filter { seen.insert($0.node.start).inserted }
    }
}
