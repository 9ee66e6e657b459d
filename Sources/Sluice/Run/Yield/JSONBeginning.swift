import SluiceExtract
import SluiceRecords

/// Makes a JSON value of the beginning of one: what is not whole is left out, and what is open is closed.
struct JSONBeginning {
    /// No message needs more levels than these.
    private static let mostDepth = 64

    private let bytes: [UInt8]
    private var closers: [UInt8] = []
    /// Behind the last part that is whole, and what closes it.
    private var safe: (end: Int, closers: [UInt8]) = (0, [])
    private var isKeyNext = false

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The first value as a tree, as far as it is there; nil where it is none.
    static func root(of bytes: [UInt8]) -> JSONNode? {
        value(of: bytes).flatMap { try? JSONTree.read($0, file: "the answer").root }
    }

    /// The first value; nil where there is none.
    static func value(of bytes: [UInt8]) -> [UInt8]? {
        let isSpace = { (byte: UInt8) in byte <= 0x20 }
        var beginning = JSONBeginning(Array(bytes.withoutByteOrderMark.drop(while: isSpace)))
        guard !beginning.bytes.isEmpty else { return nil }
        return beginning.closed()
    }

    private mutating func closed() -> [UInt8]? {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard closers.count < JSONBeginning.mostDepth else { return text }
                closers.append(byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                isKeyNext = byte == UInt8(ascii: "{")
                safe = (index, closers)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard closers.popLast() == byte else { return nil }
                isKeyNext = false
                safe = (index, closers)
            case UInt8(ascii: ","): isKeyNext = closers.last == UInt8(ascii: "}")
            case UInt8(ascii: ":"): isKeyNext = false
            case UInt8(ascii: "\""):
                guard let end = endOfText(index) else { return text }
                index = end
                if !isKeyNext { safe = (index, closers) }
            case 0...0x20: continue
            default:
                index = endOfWord(index)
                if index < bytes.count { safe = (index, closers) }
            }
            // Whole, or a scalar.
            if closers.isEmpty { return safe.end > 0 ? text : bytes }
        }
        return text
    }

    private var text: [UInt8]? { safe.end > 0 ? bytes[..<safe.end] + safe.closers.reversed() : nil }

    private func endOfText(_ start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private func endOfWord(_ start: Int) -> Int {
        bytes[start...].firstIndex { $0 <= 0x20 || ",]}:[{\"".utf8.contains($0) } ?? bytes.count
    }
}
