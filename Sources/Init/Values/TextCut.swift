import SluiceDefinition

/// A part of a text that may be a reference by itself: `GB` in `GB-ENG`, `f3` in `https://example.org/films/f3/`.
enum TextCut: Hashable, BitwiseCopyable {
    /// The last part of an address.
    case addressTail
    /// What stands between two separators, or before the first one; counted from 0.
    case part(UInt8, Int)
    case behindFirst(UInt8)
    case beforeLast(UInt8)
    case behindLast(UInt8)
    /// So many characters, of ASCII.
    case first(Int)
    case last(Int)
    /// What is behind so many characters.
    case behind(Int)

    /// What separates the parts of texts.
    static let separators: [UInt8] = Array("-:/_.|#".utf8)

    /// What finds it in a definition.
    var pattern: String {
        switch self {
        case .addressTail: return "([^/?#]+)/*$"
        case .part(let byte, 0): return "^(\(other(byte))+)\(one(byte))"
        case .part(let byte, 1): return "^\(other(byte))+\(one(byte))(\(other(byte))+)"
        case .part(let byte, let index): return "^(?:\(other(byte))+\(one(byte))){\(index)}(\(other(byte))+)"
        case .behindFirst(let byte): return "^\(other(byte))+\(one(byte))(.+)$"
        case .beforeLast(let byte): return "^(.+)\(one(byte))\(other(byte))+$"
        case .behindLast(let byte): return ".\(one(byte))(\(other(byte))+)$"
        case .first(let count): return "^.{\(count)}"
        case .last(let count): return ".{\(count)}$"
        case .behind(let count): return "^.{\(count)}(.+)$"
        }
    }

    /// What it is, in words.
    var words: String {
        switch self {
        case .addressTail: "the last part of the address"
        case .part(let byte, 0): "what is before the first \(name(byte))"
        case .part(let byte, let index): "part \(index + 1) between \(name(byte))"
        case .behindFirst(let byte): "what is behind the first \(name(byte))"
        case .beforeLast(let byte): "what is before the last \(name(byte))"
        case .behindLast(let byte): "what is behind the last \(name(byte))"
        case .first(let count): "the first \(count) characters"
        case .last(let count): "the last \(count) characters"
        case .behind(let count): "what is behind the first \(count) characters"
        }
    }

    /// What is left of a text without it, where that may say something, too.
    var rest: TextCut? {
        switch self {
        case .part(let byte, 0): .behindFirst(byte)
        case .beforeLast(let byte): .behindLast(byte)
        case .first(let count): .behind(count)
        default: nil
        }
    }

    private func one(_ byte: UInt8) -> String {
        let text = String(UnicodeScalar(byte))
        return ".|".contains(text) ? "\\" + text : text
    }

    private func other(_ byte: UInt8) -> String { "[^\(UnicodeScalar(byte))]" }

    private func name(_ byte: UInt8) -> String { quoted(String(UnicodeScalar(byte))) }
}

extension TextCut {
    /// Where it is in a text; empty: it has none.
    func range(_ text: UnsafePointer<UInt8>, _ length: Int) -> Range<Int> {
        switch self {
        case .addressTail: return unsafe TextCut.addressTail(text, length)
        case .part(let byte, let index): return unsafe TextCut.part(text, length, byte, index)
        case .behindFirst(let byte):
            guard let place = unsafe TextCut.place(of: byte, text, 0, length), place > 0 else { return 0..<0 }
            return place + 1..<length
        case .beforeLast(let byte): return 0..<(unsafe TextCut.lastPlace(of: byte, text, length))
        case .behindLast(let byte):
            let place = unsafe TextCut.lastPlace(of: byte, text, length)
            return place > 0 ? place + 1..<length : 0..<0
        case .first(let count): return unsafe TextCut.isASCII(text, 0, count, length) ? 0..<count : 0..<0
        case .last(let count):
            return unsafe TextCut.isASCII(text, length - count, length, length) ? length - count..<length : 0..<0
        case .behind(let count): return unsafe TextCut.isASCII(text, 0, count, length) ? count..<length : 0..<0
        }
    }

    /// What is known of its part of a text; nil: it has none.
    func hash(of text: [UInt8]) -> UInt64? {
        unsafe text.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return nil }
            let range = unsafe range(base, bytes.count)
            return range.isEmpty ? nil : unsafe ValueFingerprint.of(value: base + range.lowerBound, range.count)
        }
    }

    private static func addressTail(_ text: UnsafePointer<UInt8>, _ length: Int) -> Range<Int> {
        var end = length
        while end > 0, unsafe text[end - 1] == UInt8(ascii: "/") { end -= 1 }
        var start = end
        while start > 0, unsafe text[start - 1] != UInt8(ascii: "/") {
            let byte = unsafe text[start - 1]
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return 0..<0 }
            start -= 1
        }
        return start..<end
    }

    /// A part between separators, of which none before it is empty.
    private static func part(
        _ text: UnsafePointer<UInt8>, _ length: Int, _ byte: UInt8, _ index: Int
    ) -> Range<Int> {
        var start = 0
        for _ in 0..<index {
            guard let place = unsafe place(of: byte, text, start, length), place > start else { return 0..<0 }
            start = place + 1
        }
        let end = unsafe place(of: byte, text, start, length)
        // Before the first separator there must be one: else it is the whole text.
        return index == 0 && end == nil ? 0..<0 : start..<(end ?? length)
    }

    private static func place(
        of byte: UInt8, _ text: UnsafePointer<UInt8>, _ start: Int, _ length: Int
    ) -> Int? {
        var index = start
        while index < length {
            if unsafe text[index] == byte { return index }
            index += 1
        }
        return nil
    }

    /// 0: there is none, or nothing before it or behind it.
    private static func lastPlace(of byte: UInt8, _ text: UnsafePointer<UInt8>, _ length: Int) -> Int {
        var index = length - 1
        while index > 0 {
            if unsafe text[index] == byte { return index == length - 1 ? 0 : index }
            index -= 1
        }
        return 0
    }

    private static func isASCII(_ text: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ length: Int) -> Bool {
        guard start >= 0, end <= length else { return false }
        for index in start..<end where unsafe text[index] >= 0x80 { return false }
        return true
    }
}
