import SluiceRecords

// The ways from one place to another.
extension ShapeTree {
    /// The node at the end of some steps; made where it is not there.
    mutating func enter(_ steps: [ShapeStep]) -> Int32 {
        steps.reduce(0) { node, step in
            switch step {
            case .element: return element(of: node)
            case .anyMember: return anyMember(of: node)
            case .file:
                isOfFiles = true
                return anyMember(of: node)
            case .member(let name): return enter(name, in: node)
            case .position(let index):
                unsafe pointer(node).pointee.positions.arePlaces = true
                return enter("[\(index)]", in: node)
            }
        }
    }

    private mutating func enter(_ name: String, in node: Int32) -> Int32 {
        let key = Array(name.utf8)
        return unsafe key.withUnsafeBufferPointer { key in
            // An empty name has no bytes, and none are looked at.
            let base = unsafe key.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
            return unsafe find(node, base, key.count) ?? addMember(of: node, base, key.count)
        }
    }

    /// How a node is reached from the top.
    func steps(to node: Int32) -> [ShapeStep] {
        var steps: [ShapeStep] = []
        var node = node
        while node > 0 {
            if self[node].step != .root { steps.append(step(to: node)) }
            node = self[node].parent
        }
        return steps.reversed()
    }

    /// How a node is reached from the one above; not for the top.
    func step(to node: Int32) -> ShapeStep {
        switch self[node].step {
        case .element: return .element
        case .anyMember: return isOfFiles && self[node].parent == 0 ? .file : .anyMember
        case .member, .root: return position(of: node).map { .position($0) } ?? .member(name(node))
        }
    }

    /// Where a step leads to; nil: nowhere.
    func node(_ step: ShapeStep, in node: Int32) -> Int32? {
        let found: Int32 =
            switch step {
            case .element: self[node].element
            case .anyMember, .file: self[node].anyMember
            case .member(let name): member(at: [name], in: node) ?? -1
            case .position(let index): member(at: ["[\(index)]"], in: node) ?? -1
            }
        return found < 0 ? nil : found
    }

    /// Where some steps from the top lead; nil: nowhere.
    func node(at steps: [ShapeStep]) -> Int32? {
        steps.reduce(Int32?(0)) { node, step in node.flatMap { self.node(step, in: $0) } }
    }

    /// The index of a list's element whose place is its own; nil: it is none.
    func position(of node: Int32) -> Int? {
        let parent = self[node].parent
        guard parent >= 0, self[parent].positions.arePlaces else { return nil }
        return Int(name(node).dropFirst().dropLast())
    }

    /// Whether a value of the feed has this place only once: no list and no map is around it.
    func isSingle(_ node: Int32) -> Bool {
        var node = node
        while node > 0 {
            if self[node].step != .member { return false }
            node = self[node].parent
        }
        return true
    }

    /// Whether each document of the feed has this place only once; of several files, each is one.
    func isSingleInDocument(_ node: Int32) -> Bool {
        var node = node
        while node > 0 {
            let place = self[node]
            if isOfFiles, place.parent == 0, place.step == .anyMember { return true }
            if place.step != .member { return false }
            node = place.parent
        }
        return true
    }

    /// What some members, one in the other, lead to; nil: it is not there.
    func member(at path: [String], in node: Int32) -> Int32? {
        var found = node
        for name in path {
            let bytes = Array(name.utf8)
            let next = unsafe bytes.withUnsafeBufferPointer { key in
                unsafe key.baseAddress.map { unsafe find(found, $0, key.count) }
                    ?? members(of: found).first { self.name($0).isEmpty }
            }
            guard let next else { return nil }
            found = next
        }
        return found
    }
}
