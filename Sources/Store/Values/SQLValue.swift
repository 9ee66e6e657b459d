/// A value as SQLite has it.
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
}
