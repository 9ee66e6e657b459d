import SluiceRecords

/// Follows the bytes of a patchset (<https://sqlite.org/session/changesetfmt.html>), and knows where it may end. SQLite
/// does not: in a header that is cut, it looks for the end of a name for ever.
struct PatchsetFraming {
    /// What the next byte is.
    private enum Place {
        /// The first of a header or of a change; or there is none.
        case beginning
        case columnCount(Varint)
        case keys(left: Int)
        case tableName
        case isIndirect
        case value
        case length(Varint)
        case bytes(left: Int)
    }

    private var place = Place.beginning
    /// Of the table of the last header.
    private var (columns, keys) = (0, 0)
    /// Of the change.
    private var values = 0

    /// Whether the patchset may end here.
    var mayEnd: Bool { if case .beginning = place { true } else { false } }

    /// - Throws: `data` where it is no patchset.
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var index = 0
        while index < bytes.count {
            if case .bytes(let left) = place {
                let taken = min(left, bytes.count - index)
                index += taken
                place = taken == left ? afterValue() : .bytes(left: left - taken)
            } else {
                try take(unsafe bytes[index])
                index += 1
            }
        }
    }

    private mutating func take(_ byte: UInt8) throws(Failure) {
        switch place {
        case .beginning: try begin(byte)
        case .columnCount(var count):
            let isWhole = count.take(byte)
            place = isWhole ? try keys(of: count.value) : .columnCount(count)
        case .keys(let left):
            keys += byte == 0 ? 0 : 1
            place = left == 1 ? .tableName : .keys(left: left - 1)
        case .tableName: if byte == 0 { place = .beginning }
        case .isIndirect: place = values == 0 ? .beginning : .value
        case .value: try beginValue(byte)
        case .length(var length):
            let isWhole = length.take(byte)
            place = isWhole ? try bytes(length.value) : .length(length)
        case .bytes: break
        }
    }

    private mutating func begin(_ byte: UInt8) throws(Failure) {
        switch byte {
        case UInt8(ascii: "P"):
            place = .columnCount(Varint())
        // SQLITE_INSERT and SQLITE_UPDATE bring all columns, SQLITE_DELETE the key: those of the header before.
        case 18 where columns > 0, 23 where columns > 0:
            (place, values) = (.isIndirect, columns)
        case 9 where columns > 0:
            (place, values) = (.isIndirect, keys)
        default: throw PatchsetFraming.wrong
        }
    }

    /// After the number of columns, a byte for each says whether it is of the key.
    private mutating func keys(of count: Int) throws(Failure) -> Place {
        // SQLite's own limit.
        guard (1...32_767).contains(count) else { throw PatchsetFraming.wrong }
        (columns, keys) = (count, 0)
        return .keys(left: count)
    }

    /// After the length of a text or a blob, its bytes.
    private mutating func bytes(_ length: Int) throws(Failure) -> Place {
        guard (0...Int(Int32.max)).contains(length) else { throw PatchsetFraming.wrong }
        return length == 0 ? afterValue() : .bytes(left: length)
    }

    /// A byte that says of which type it is: none, integer, real, text, blob, null.
    private mutating func beginValue(_ type: UInt8) throws(Failure) {
        switch type {
        case 0, 5: place = afterValue()
        case 1, 2: place = .bytes(left: 8)
        case 3, 4: place = .length(Varint())
        default: throw PatchsetFraming.wrong
        }
    }

    private mutating func afterValue() -> Place {
        values -= 1
        return values == 0 ? .beginning : .value
    }

    static let wrong = Failure(.data, "the delta is no patchset")
    static let cut = Failure(.data, "the delta ends within a change")

    /// A number as SQLite writes it: seven bits in each byte, the highest first; the ninth byte has eight.
    private struct Varint {
        private var bits: UInt64 = 0
        private var count = 0

        /// What does not fit is less than nothing.
        var value: Int { Int(truncatingIfNeeded: bits) }

        /// Whether it was the last byte.
        mutating func take(_ byte: UInt8) -> Bool {
            count += 1
            if count == 9 {
                bits = bits << 8 | UInt64(byte)
                return true
            }
            bits = bits << 7 | UInt64(byte & 0x7f)
            return byte & 0x80 == 0
        }
    }
}
