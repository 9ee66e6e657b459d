import Glibc
import SluiceRecords

/// How the cells of one column go to the server, and come from there: as the binary form of their type, so that equal
/// bytes are equal values.
package struct CellForm: Sendable, Hashable {
    package let type: ServerType
    /// Of a time: the digits of a second that the cell has.
    private let fraction: Int

    package init(_ form: StoredForm) {
        type = ServerType(form)
        fraction = form.fraction ?? StoredForm.defaultFraction
    }

    /// What the server cannot hold.
    package enum Misfit: Error, Sendable {
        case nul, leapSecond, tooPrecise
    }

    // MARK: To the server

    /// Appends a typed cell as a field: its length, and its bytes.
    @inline(__always)
    package func append(_ cell: Cell, _ arena: UnsafePointer<UInt8>, to buffer: inout ByteBuffer) {
        switch cell.kind {
        case .absent, .null: buffer.appendNull()
        default:
            switch type {
            case .text, .json, .bytea: unsafe buffer.appendField(arena + cell.offset, cell.count)
            case .bigint: buffer.appendField(cell.integer)
            case .double:
                // Zero is one value, whatever its sign: SQLite does not keep it either.
                buffer.appendField(Int64(bitPattern: (cell.real == 0 ? 0.0 : cell.real).bitPattern))
            case .boolean:
                buffer.append(Int32(1))
                buffer.append(cell.integer == 0 ? UInt8(0) : 1)
            case .numeric: unsafe NumericForm.append(arena + cell.offset, cell.count, to: &buffer)
            case .date:
                buffer.append(Int32(4))
                buffer.append(Int32(truncatingIfNeeded: unsafe TimeForm.day(arena + cell.offset)))
            case .timestamp: buffer.appendField(unsafe TimeForm.microseconds(arena + cell.offset, cell.count))
            }
        }
    }

    /// Whether a field that the server has is what a cell would be sent as. `scratch` is used for it.
    @inline(__always)
    package func isSame(
        _ cell: Cell, _ arena: UnsafePointer<UInt8>, _ field: UnsafeBufferPointer<UInt8>, _ scratch: inout ByteBuffer
    ) -> Bool {
        guard let base = field.baseAddress else { return false }
        switch type {
        case .text, .json, .bytea:
            return unsafe cell.count == field.count && memcmp(arena + cell.offset, base, field.count) == 0
        case .bigint: return unsafe field.count == 8 && integer(base) == cell.integer
        default:
            scratch.removeAll()
            unsafe append(cell, arena, to: &scratch)
            return unsafe scratch.count == field.count + 4 && memcmp(scratch.base + 4, base, field.count) == 0
        }
    }

    /// Whether there are cells that the server cannot hold.
    package var canMisfit: Bool { type == .text || type == .timestamp }

    /// Why the server cannot hold a cell; nil: it can.
    @inline(__always)
    package func misfit(_ cell: Cell, _ arena: UnsafePointer<UInt8>) -> Misfit? {
        guard cell.hasBytes else { return nil }
        switch type {
        case .text: return unsafe hasNUL(arena + cell.offset, cell.count) ? .nul : nil
        case .timestamp: return unsafe TimeForm.misfit(arena + cell.offset, cell.count)
        default: return nil
        }
    }

    /// Whether a text may be a value of the type, as its canonical text: what else there is, no object has.
    package func isPlausible(_ text: String) -> Bool {
        func isMade(of pattern: String) -> Bool {
            text.utf8.count == pattern.utf8.count
                && zip(text.utf8, pattern.utf8).allSatisfy { byte, sign in
                    sign == UInt8(ascii: "0") ? byte.isDigit : byte == sign
                }
        }
        switch type {
        case .date: return isMade(of: "0000-00-00")
        case .timestamp:
            let digits = String(repeating: "0", count: fraction)
            return isMade(of: "0000-00-00T00:00:00" + (fraction > 0 ? "." + digits : "") + "Z")
        case .numeric:
            let rest = text.hasPrefix("-") ? text.dropFirst() : text[...]
            let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count <= 2
                && parts.allSatisfy { part in
                    !part.isEmpty && part.utf8.allSatisfy(\.isDigit)
                }
        case .text: return !text.utf8.contains(0)
        default: return true
        }
    }

    // MARK: From the server

    /// A field as a typed cell; nil: it is none of the type's.
    package func cell(_ field: UnsafeBufferPointer<UInt8>, in arena: inout Arena) -> Cell? {
        guard let base = field.baseAddress else { return nil }
        let count = field.count
        switch type {
        case .text, .json:
            return Cell(kind: .text, payload: UInt64(unsafe arena.append(base, count)), length: UInt32(count))
        case .bytea:
            return Cell(kind: .blob, payload: UInt64(unsafe arena.append(base, count)), length: UInt32(count))
        case .bigint: return count == 8 ? .integer(unsafe integer(base)) : nil
        case .double: return count == 8 ? .real(Double(bitPattern: UInt64(bitPattern: unsafe integer(base)))) : nil
        case .boolean: return count == 1 ? .integer(unsafe base[0] == 0 ? 0 : 1) : nil
        case .numeric: return unsafe NumericForm.text(base, count).map { arena.appendText($0) }
        case .date:
            guard count == 4 else { return nil }
            return unsafe TimeForm.dateText(Int(shortInteger(base))).map { arena.appendText($0) }
        case .timestamp:
            guard count == 8 else { return nil }
            return unsafe TimeForm.timeText(integer(base), fraction: fraction).map { arena.appendText($0) }
        }
    }
}

/// Eight bytes of the network as an integer.
@inline(__always)
func integer(_ bytes: UnsafePointer<UInt8>) -> Int64 {
    unsafe Int64(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: Int64.self))
}

@inline(__always)
func shortInteger(_ bytes: UnsafePointer<UInt8>) -> Int32 {
    unsafe Int32(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: Int32.self))
}
