import CSluiceSQLite
import SluiceRecords
import SluiceSchema

/// The order of decimal numbers that are stored as texts, as the collation `sluice_decimal`: that of their bytes has 10
/// before 9.
enum DecimalOrder {
    static let name = "sluice_decimal"

    /// Makes the order known to a connection.
    static func register(_ connection: OpaquePointer) -> Int32 {
        unsafe sqlite3_create_collation_v2(
            connection, name, SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                let left = unsafe DecimalOrder.text(left, leftCount)
                let right = unsafe DecimalOrder.text(right, rightCount)
                return DecimalOrder.compare(left, right)
            }, nil)
    }

    private static func text(_ bytes: UnsafeRawPointer?, _ count: Int32) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    /// What is no number comes after those that are, by its bytes: an order must be one for all texts.
    private static func compare(_ left: String, _ right: String) -> Int32 {
        switch (ExactNumber(left), ExactNumber(right)) {
        case (let left?, let right?): left < right ? -1 : left == right ? 0 : 1
        case (nil, nil): left.isIdentical(to: right) ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        case (_?, nil): -1
        case (nil, _?): 1
        }
    }
}
