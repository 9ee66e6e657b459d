import SluiceRecords

/// A value as SQLite has it; two texts are the same if their bytes are.
public enum SQLValue: Sendable, Hashable {
    /// Null.
    case null
    /// 64 bits.
    case integer(Int64)
    /// A double; never a NaN, which SQLite takes for null.
    case real(Double)
    /// UTF-8, NUL included.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// By the bytes of texts, as SQLite compares them.
    public static func == (left: SQLValue, right: SQLValue) -> Bool { left.key == right.key }

    /// By the bytes of texts.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private var key: Key {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(ExactText(text))
        case .blob(let bytes): .blob(bytes)
        }
    }

    private enum Key: Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(ExactText)
        case blob([UInt8])
    }
}
