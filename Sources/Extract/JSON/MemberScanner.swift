import SluiceRecords

/// Finds the value of a path in JSON that passes by, without keeping any of it but that value.
///
/// It is no parser: it trusts that the bytes are JSON, which the reader of the feed checks. Of a sequence of values,
/// the last that has the path counts.
@safe
package struct MemberScanner {
    /// What was found at the path.
    package enum Value: Hashable {
        case absent
        case null
        case boolean(Bool)
        /// As it is written.
        case number(String)
        case text(String)
        case list(isEmpty: Bool)
        case object(isEmpty: Bool)
        case tooLong
        /// A text that holds what no text can: half of a surrogate pair, or what is no UTF-8.
        case broken
    }

    package private(set) var value = Value.absent
    /// Whether a container has begun there, and nothing of it has been seen.
    private var isBegun = false

    private let steps: [Path.Step]
    /// The open containers.
    private var depth = 0
    /// How many of them, from the outermost on, are on the path.
    private var onPath = 0
    /// Of each container on the path: the index of its next element; -1 for an object.
    private var indices: [Int] = []
    /// Whether the next value of the innermost container on the path is on it, too.
    private var isHit = true
    private var isKeyNext = false

    private var inText = false
    private var isEscaped = false
    private var capture = Wanted.none
    private var captured: [UInt8] = []

    private enum Wanted { case none, key, text, word }

    /// A longer one is no address.
    package static let mostBytes = 64 << 10

    /// - Parameters:
    ///   - steps: names, indices, and `[-1]`, the last element of a list.
    ///   - keepsList: whether ``list`` is wanted.
    package init(_ steps: [Path.Step], keepsList: Bool = false) {
        self.steps = steps
        self.keepsList = keepsList
        waitsForLast = steps.contains(.indexFromEnd(1))
    }

    private let keepsList: Bool
    /// The list at the path as it is written, once it has ended; nil: there is none, or it is longer than
    /// ``mostOfList``.
    package var list: [UInt8]? {
        listDepth == 0 && !kept.isEmpty && kept.count <= MemberScanner.mostOfList ? kept : nil
    }

    /// Whether there is one, and it is longer than that.
    package var isListTooLong: Bool { kept.count > MemberScanner.mostOfList }

    private var kept: [UInt8] = []
    /// The depth in the list that is being kept; 0: none is.
    private var listDepth = 0

    static let mostOfList = 1 << 20

    /// Whether a later element of a list may take the place of the one that was found.
    private let waitsForLast: Bool

    /// Whether a value was found, and is known as far as it can be.
    package var isFound: Bool { value != .absent && !isBegun && !waitsForLast }

    /// Whether a value was found; where a list is wanted, whether one has ended, or is too long.
    package var isDone: Bool {
        if keepsList { return isListTooLong || !kept.isEmpty && listDepth == 0 }
        return isFound
    }

    /// Looks at the next bytes.
    package mutating func scan(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index < bytes.count {
            let start = index
            if inText {
                unsafe index = passText(bytes, from: index)
            } else {
                scanNext(unsafe bytes[index])
                index += 1
            }
            if listDepth > 0 { unsafe keep(UnsafeRawBufferPointer(rebasing: bytes[start..<index])) }
        }
    }

    private mutating func scanNext(_ byte: UInt8) {
        if capture == .word, MemberScanner.endsWord(byte) { endWord() }
        if capture == .word { append(byte) } else { scan(byte) }
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        if kept.count <= MemberScanner.mostOfList { unsafe kept.append(contentsOf: bytes) }
    }

    /// Says that nothing follows.
    package mutating func finish() {
        if capture == .word { endWord() }
    }

    /// Goes on within a text; returns the index behind what it has looked at.
    private mutating func passText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let byte = unsafe bytes[index]
            index += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                endText()
                return index
            }
            if capture != .none { append(byte) }
        }
        return index
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }

    private mutating func append(_ byte: UInt8) {
        if captured.count <= MemberScanner.mostBytes { captured.append(byte) }
    }

    private var isInnermostOnPath: Bool { depth == onPath }

    private mutating func scan(_ byte: UInt8) {
        if isBegun, byte > 0x20 { beginContainer(byte) }
        switch byte {
        case UInt8(ascii: "\""):
            inText = true
            if isInnermostOnPath, isKeyNext { capture = .key } else if isTarget { capture = .text }
        case UInt8(ascii: "{"): open(isObject: true)
        case UInt8(ascii: "["): open(isObject: false)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
        case UInt8(ascii: ","): if isInnermostOnPath { goOn() }
        case UInt8(ascii: ":"): if isInnermostOnPath { isKeyNext = false }
        case 0...0x20: break
        default:
            if isTarget, !ByteOrderMark.bytes.contains(byte) {
                capture = .word
                append(byte)
            }
        }
    }

    /// Sees the first of a container, or its end.
    private mutating func beginContainer(_ byte: UInt8) {
        isBegun = false
        switch value {
        case .list: value = .list(isEmpty: byte == UInt8(ascii: "]"))
        case .object: value = .object(isEmpty: byte == UInt8(ascii: "}"))
        default: break
        }
    }

    /// Whether the value that begins is the one that the path leads to.
    private var isTarget: Bool { isInnermostOnPath && isHit && !isKeyNext && onPath == steps.count }

    private mutating func open(isObject: Bool) {
        if isTarget {
            value = isObject ? .object(isEmpty: true) : .list(isEmpty: true)
            isBegun = true
            // The first that a document has counts, wherever its bytes are parted.
            if keepsList, !isObject, kept.isEmpty { listDepth = depth + 1 }
        }
        if isInnermostOnPath, isHit, onPath < steps.count, fits(steps[onPath], isObject) {
            depth += 1
            onPath += 1
            indices.append(isObject ? -1 : 0)
            isKeyNext = isObject
            isHit = !isObject && isStep(0)
        } else {
            depth += 1
        }
    }

    private func fits(_ step: Path.Step, _ isObject: Bool) -> Bool {
        switch step {
        case .name: isObject
        case .index, .indexFromEnd: !isObject
        case .filter, .wildcard, .descendantName, .descendantWildcard: false
        }
    }

    private mutating func close() {
        guard depth > 0 else { return }
        if isInnermostOnPath {
            indices.removeLast()
            onPath -= 1
            isKeyNext = false
            isHit = onPath == 0
        }
        depth -= 1
        if depth < listDepth {
            listDepth = 0
            kept.append(UInt8(ascii: "]"))
        }
    }

    /// Behind a comma of a container on the path.
    private mutating func goOn() {
        guard let index = indices.last else { return }
        if index < 0 {
            isKeyNext = true
            isHit = false
        } else {
            indices[indices.count - 1] = index + 1
            isHit = isStep(index + 1)
        }
    }

    /// Whether the element of that index is on the path. Each takes the place of the one before where the last is
    /// meant: what only an earlier one has is not there.
    private mutating func isStep(_ index: Int) -> Bool {
        guard case .indexFromEnd(1) = steps[onPath - 1] else { return steps[onPath - 1] == .index(index) }
        value = .absent
        return true
    }

    private mutating func endText() {
        inText = false
        defer {
            capture = .none
            captured = []
        }
        switch capture {
        case .none, .word: break
        case .key: if case .name(let name) = steps[onPath - 1] { isHit = text() == name }
        case .text: value = captured.count > MemberScanner.mostBytes ? .tooLong : text().map(Value.text) ?? .broken
        }
    }

    /// The text that was captured, without its escapes.
    private func text() -> String? {
        let literal = [UInt8(ascii: "\"")] + captured + [UInt8(ascii: "\"")]
        guard case .string(let text)? = try? JSONTree.read(literal, file: "").root.kind else { return nil }
        return text
    }

    private mutating func endWord() {
        let word = String(decoding: captured, as: UTF8.self)
        capture = .none
        captured = []
        value =
            switch word {
            case "null": .null
            case "true": .boolean(true)
            case "false": .boolean(false)
            default: .number(word)
            }
    }
}
