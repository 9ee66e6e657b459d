import SluiceRecords

/// A JSON text as a tree, with the place of everything: for definitions and other small files, not for feeds.
package struct JSONTree: Sendable {
    /// As the user named it.
    package var file: String
    package var root: JSONNode
    /// Of a tree that was made in code, where nothing has a line: by the offset of a position, what stands there is
    /// called.
    package var names: [String]
    /// What a store calls what is called so here: lists of keys may have the one name or the other.
    package var storeName: @Sendable (String) -> String = { $0 }

    package init(file: String, root: JSONNode, names: [String] = []) {
        self.file = file
        self.root = root
        self.names = names
    }
}

/// A position in a text.
package struct JSONPosition: Hashable, Sendable {
    /// From 1.
    package var line: UInt64
    /// In bytes, from 1.
    package var column: UInt64
    /// In bytes, from 0.
    package var offset: UInt64

    package init(line: UInt64, column: UInt64, offset: UInt64) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

/// A JSON value, and where it starts.
package struct JSONNode: Sendable {
    package indirect enum Kind: Sendable {
        case null
        case boolean(Bool)
        /// As written.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// In the order of the text, repeated keys included.
        case object([JSONMember])
    }

    package var kind: Kind
    package var position: JSONPosition

    package init(_ kind: Kind, at position: JSONPosition) {
        self.kind = kind
        self.position = position
    }
}

/// A member of an object.
package struct JSONMember: Sendable {
    package var key: String
    /// Where the key starts.
    package var position: JSONPosition
    package var value: JSONNode

    package init(key: String, at position: JSONPosition, value: JSONNode) {
        self.key = key
        self.position = position
        self.value = value
    }
}

extension JSONNode {
    /// The value of a member of an object; the last one of those that have the key.
    package subscript(key: String) -> JSONNode? {
        guard case .object(let members) = kind else { return nil }
        return members.last { $0.key.isIdentical(to: key) }?.value
    }

    /// Whether a member of an object is there, and true.
    package func isTrue(_ key: String) -> Bool {
        if case .boolean(true)? = self[key]?.kind { true } else { false }
    }

    /// The members of an object; of something else, none.
    package var members: [JSONMember] {
        guard case .object(let members) = kind else { return [] }
        return members
    }

    /// The text, if it is one.
    package var text: String? {
        guard case .string(let text) = kind else { return nil }
        return text
    }
}

extension JSONTree {
    /// Whether nothing in it has a line.
    package var isMadeInCode: Bool { !names.isEmpty }

    /// The place of a position in the file.
    package func place(_ position: JSONPosition) -> Failure.Place {
        guard let name = names.isEmpty ? nil : names[Int(position.offset)] else {
            return Failure.Place(file: file, line: position.line, column: position.column, offset: position.offset)
        }
        return Failure.Place(
            file: name.isEmpty ? file : "\(file): \(name)", line: 0, column: 0, offset: position.offset)
    }

    /// The place of what a list of keys leads to: of the last key, or of the nearest one above that is there.
    ///
    /// Elements of arrays are named by their index.
    package func place(_ keys: [String]) -> Failure.Place {
        var node = root
        var position = root.position
        for key in keys {
            guard let (next, start) = node.child(key, storeName) else { break }
            (node, position) = (next, start)
        }
        return place(position)
    }

    /// The value that a list of keys leads to, if it is there.
    package func node(_ keys: [String]) -> JSONNode? {
        var node = root
        for key in keys {
            guard let (next, _) = node.child(key, storeName) else { return nil }
            node = next
        }
        return node
    }
}

extension JSONNode {
    /// A member or an element, and where a message about it points to.
    fileprivate func child(_ key: String, _ storeName: (String) -> String) -> (JSONNode, JSONPosition)? {
        switch kind {
        case .object(let members):
            let member =
                members.last { $0.key.isIdentical(to: key) } ?? members.last { storeName($0.key).isIdentical(to: key) }
            guard let member else { return nil }
            return (member.value, member.position)
        case .array(let elements):
            guard let index = Int(key), elements.indices.contains(index) else { return nil }
            return (elements[index], elements[index].position)
        default: return nil
        }
    }
}
