import CSluicePostgreSQL
import SluiceRecords

/// What somebody has asked a server for, and does not wait for yet.
package final class ServerAnswer {
    var rows: ServerRows?
}

/// What a query has given: rows of fields in their binary forms.
@safe
package final class ServerRows {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    package var count: Int { Int(unsafe PQntuples(result)) }

    /// What they take in memory.
    package var byteCount: Int { unsafe PQresultMemorySize(result) }

    /// Fields of a row.
    package var width: Int { Int(unsafe PQnfields(result)) }

    /// The name of a field.
    package func name(_ column: Int) -> String {
        unsafe PQfname(result, Int32(truncatingIfNeeded: column)).map { unsafe String(cString: $0) } ?? ""
    }

    /// What stands for the type of a field in the server's protocol.
    package func type(_ column: Int) -> UInt32 { unsafe PQftype(result, Int32(truncatingIfNeeded: column)) }

    /// Rows that a statement has changed.
    package var changed: Int {
        guard let text = unsafe PQcmdTuples(result) else { return 0 }
        return unsafe Int(String(cString: text)) ?? 0
    }

    @inline(__always)
    package func isNull(_ row: Int, _ column: Int) -> Bool {
        unsafe PQgetisnull(result, Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column)) != 0
    }

    /// The bytes of a field; of null, none.
    @inline(__always)
    package func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
        let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
        guard let value = unsafe PQgetvalue(result, row, column) else {
            return unsafe UnsafeBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self),
            count: Int(PQgetlength(result, row, column)))
    }

    /// An integer of two, four or eight bytes; of null, 0.
    @inline(__always)
    package func integer(_ row: Int, _ column: Int) -> Int64 {
        let field = unsafe bytes(row, column)
        guard let base = field.baseAddress else { return 0 }
        switch field.count {
        case 8: return unsafe SluicePostgreSQL.integer(base)
        case 4: return Int64(unsafe shortInteger(base))
        case 2: return Int64(Int16(bigEndian: unsafe UnsafeRawPointer(base).loadUnaligned(as: Int16.self)))
        default: return 0
        }
    }

    /// A double; of null, 0.
    package func real(_ row: Int, _ column: Int) -> Double {
        Double(bitPattern: UInt64(bitPattern: integer(row, column)))
    }

    package func boolean(_ row: Int, _ column: Int) -> Bool { unsafe bytes(row, column).first == 1 }

    package func text(_ row: Int, _ column: Int) -> String {
        unsafe String(decoding: bytes(row, column), as: UTF8.self)
    }

    package func optionalText(_ row: Int, _ column: Int) -> String? {
        isNull(row, column) ? nil : text(row, column)
    }
}
