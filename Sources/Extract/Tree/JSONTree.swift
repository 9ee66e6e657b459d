import SluiceRecords

/// A JSON text as a tree, with the place of everything: for definitions and other small files, not for feeds.
public struct JSONTree: Sendable {
    /// As the user named it.
    public var file: String
    public var root: JSONNode

    public init(file: String, root: JSONNode) {
        self.file = file
        self.root = root
    }
}

/// Where something stands in a text.
public struct JSONPosition: Hashable, Sendable {
    /// From 1.
    public var line: UInt64
    /// In bytes, from 1.
    public var column: UInt64
    /// In bytes, from 0.
    public var offset: UInt64

    public init(line: UInt64, column: UInt64, offset: UInt64) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

/// A JSON value, and where it starts.
public struct JSONNode: Sendable {
    public indirect enum Kind: Sendable {
        case null
        case boolean(Bool)
        /// As written.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// In the order of the text, repeated keys included.
        case object([JSONMember])
    }

    public var kind: Kind
    public var position: JSONPosition

    public init(_ kind: Kind, at position: JSONPosition) {
        self.kind = kind
        self.position = position
    }
}

/// A member of an object.
public struct JSONMember: Sendable {
    public var key: String
    /// Where the key starts.
    public var position: JSONPosition
    public var value: JSONNode

    public init(key: String, at position: JSONPosition, value: JSONNode) {
        self.key = key
        self.position = position
        self.value = value
    }
}

extension JSONNode {
    /// The value of a member of an object; the last one of those that have the key.
    public subscript(key: String) -> JSONNode? {
        guard case .object(let members) = kind else { return nil }
        return members.last { $0.key == key }?.value
    }
}

extension JSONTree {
    /// The place of a position in the file.
    public func place(_ position: JSONPosition) -> Failure.Place {
        Failure.Place(file: file, line: position.line, column: position.column, offset: position.offset)
    }

    /// The place of what a list of keys leads to: of the last key, or of the nearest one above that is there.
    ///
    /// Elements of arrays are named by their index.
    public func place(_ keys: [String]) -> Failure.Place {
        var node = root
        var position = root.position
        for key in keys {
            guard let (next, start) = node.child(key) else { break }
            (node, position) = (next, start)
        }
        return place(position)
    }

    /// The value that a list of keys leads to, if it is there.
    public func node(_ keys: [String]) -> JSONNode? {
        var node = root
        for key in keys {
            guard let (next, _) = node.child(key) else { return nil }
            node = next
        }
        return node
    }
}

extension JSONNode {
    /// A member or an element, and where a message about it points to.
    fileprivate func child(_ key: String) -> (JSONNode, JSONPosition)? {
        switch kind {
        case .object(let members):
            guard let member = members.last(where: { $0.key == key }) else { return nil }
            return (member.value, member.position)
        case .array(let elements):
            guard let index = Int(key), elements.indices.contains(index) else { return nil }
            return (elements[index], elements[index].position)
        default: return nil
        }
    }
}
