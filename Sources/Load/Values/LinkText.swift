import SluiceRecords
import SluiceSchema

/// What a link has of its own as a JSON object, as long as the link waits for its target: a member for each column, bytes
/// as hexadecimal digits.
package enum LinkText {
    package static func json(_ cell: Cell, _ arena: Arena) -> String {
        switch cell.kind {
        case .integer: String(cell.integer)
        case .real: "\(cell.real)"
        case .text, .impossible: JSONText.quoted(arena.text(of: cell))
        case .blob: JSONText.quoted(arena.hexadecimal(of: cell))
        default: "null"
        }
    }

    /// The members of such an object, by name: texts without their quotes, all else as it is written.
    package static func members(of text: String) -> [ExactText: String] {
        var scanner = Scanner(bytes: Array(text.utf8))
        return scanner.members()
    }

    /// A member as a cell of a column; null where there is none.
    package static func cell(_ value: String?, _ type: ColumnType, _ arena: inout Arena) -> Cell {
        guard let value else { return .null }
        switch type {
        case .integer: return Int64(value).map { .integer($0) } ?? .null
        case .real: return Double(value).map { .real($0) } ?? .null
        case .text: return arena.appendText(value)
        case .blob:
            let digits = Array(value.utf8)
            let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { place in
                UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) ?? 0
            }
            let offset = arena.reserve(bytes.count)
            for (index, byte) in bytes.enumerated() { unsafe arena.base[offset + index] = byte }
            return Cell(kind: .blob, payload: UInt64(offset), length: UInt32(bytes.count))
        }
    }

    /// Reads an object of scalars.
    private struct Scanner {
        let bytes: [UInt8]
        var place = 0

        private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

        mutating func members() -> [ExactText: String] {
            var members: [ExactText: String] = [:]
            while skip(to: UInt8(ascii: "\"")) {
                let name = string()
                guard skip(to: UInt8(ascii: ":")) else { break }
                place += 1
                if let value = value() { members[ExactText(name)] = value }
            }
            return members
        }

        /// Goes to the next byte of that kind; false: there is none.
        private mutating func skip(to byte: UInt8) -> Bool {
            while let next, next != byte { place += 1 }
            return next != nil
        }

        private mutating func value() -> String? {
            while next == UInt8(ascii: " ") { place += 1 }
            if next == UInt8(ascii: "\"") { return string() }
            let start = place
            while let next, ![UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "}")].contains(next) { place += 1 }
            let word = String(decoding: bytes[start..<place], as: UTF8.self)
            return word == "null" ? nil : word
        }

        private mutating func string() -> String {
            place += 1
            var text: [UInt8] = []
            while let byte = next, byte != UInt8(ascii: "\"") {
                place += 1
                if byte == UInt8(ascii: "\\") { text += escaped() } else { text.append(byte) }
            }
            place += 1
            return String(decoding: text, as: UTF8.self)
        }

        private mutating func escaped() -> [UInt8] {
            guard let byte = next else { return [] }
            place += 1
            switch byte {
            case UInt8(ascii: "n"): return [0x0a]
            case UInt8(ascii: "r"): return [0x0d]
            case UInt8(ascii: "t"): return [0x09]
            case UInt8(ascii: "u"):
                var units = [unit()]
                if UTF16.isLeadSurrogate(units[0]), place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\") {
                    place += 2
                    units.append(unit())
                }
                return Array(String(decoding: units, as: UTF16.self).utf8)
            default: return [byte]
            }
        }

        private mutating func unit() -> UInt16 {
            let end = min(place + 4, bytes.count)
            defer { place = end }
            return UInt16(String(decoding: bytes[place..<end], as: UTF8.self), radix: 16) ?? 0xfffd
        }
    }
}
