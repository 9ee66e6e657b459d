import SluiceRecords

/// A repeated key above records, as findings report it.
struct RepeatedAround {
    struct Key: Hashable {
        var entity: Int
        var path: String
    }

    var entity: Int
    /// From the top of the feed.
    var path: Path
    /// Where it came again.
    var first: FeedPosition
}

/// The first value of a key that has come again, until the node ends in which it stands.
struct FirstValue {
    /// Which open node it belongs to, and which of its values it is.
    var node: Int
    var value: Int
    var cell: Cell
    /// What is to be told if the values differ; nil: nothing.
    var note: RepeatedAround?
    var differs = false
}

extension Ancestors {
    /// Puts the value of an open node aside, which is about to come again.
    mutating func setAside(_ value: Int, of node: Int, at note: RepeatedAround?) {
        unsafe (open.base + node).pointee.isRepeating = true
        let cell = open[node].cellStart + value
        if let known = firsts.lastIndex(where: { $0.node == node && $0.value == value }) {
            if !isSame(cells[cell], firsts[known].cell) { firsts[known].differs = true }
            if !firsts[known].differs { firsts[known].note = note }
        } else {
            firsts.append(FirstValue(node: node, value: value, cell: cells[cell], note: note))
        }
        cells[cell] = .absent
    }

    /// Gives a node that ends its first values back, and returns what is to be told of those that came later.
    mutating func settle(_ node: Int) -> [RepeatedAround] {
        var found: [RepeatedAround] = []
        for first in firsts where first.node == node {
            let cell = open[node].cellStart + first.value
            let differs = first.differs || !isSame(cells[cell], first.cell)
            cells[cell] = first.cell
            guard differs, open[node].isUsed, let note = first.note else { continue }
            // One key may lead to several values.
            if !found.contains(where: { $0.path == note.path }) { found.append(note) }
        }
        firsts.removeAll { $0.node == node }
        return found
    }

    /// Whether two values are the same, as they are written.
    private func isSame(_ left: Cell, _ right: Cell) -> Bool {
        guard left.kind == right.kind else { return false }
        if left.hasBytes { return values.arena.text(of: left).isIdentical(to: values.arena.text(of: right)) }
        guard left.kind == .list else { return left.payload == right.payload }
        guard left.count == right.count else { return false }
        var (one, other) = (left.head, right.head)
        for _ in 0..<left.count {
            guard isSame(values.elements[one].cell, values.elements[other].cell) else { return false }
            (one, other) = (Int(values.elements[one].next), Int(values.elements[other].next))
        }
        return true
    }
}
