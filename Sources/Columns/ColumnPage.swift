/// How the values of a page are written: `Encoding` of the format.
enum ParquetEncoding: Int32 {
    case plain = 0
    /// Runs and packed bits: of levels.
    case runs = 3
    /// See ``DeltaNumbers``.
    case deltaNumbers = 5
    /// See ``DeltaTexts``.
    case deltaTexts = 7
    /// Runs and packed bits of indices into a dictionary.
    case dictionary = 8
}

/// The body of a page: parts that stand one behind the other, until their column is reset.
struct ColumnPage {
    var encoding: ParquetEncoding
    var parts: [ColumnBytes]

    /// Bytes.
    var count: Int { parts.reduce(0) { $0 + $1.count } }
}
