import SluiceRecords

/// Two forms of a column: the one in which values were written, and the one which they are to have, or in which they
/// are written now.
package struct FormPair {
    package let from: StoredForm
    package let to: StoredForm

    /// Of the power of ten by which numbers are multiplied, where integers count other units now; else 0.
    package var exponent: Int { to.unitDigits - from.unitDigits }

    /// Whether the column holds decimals now that are written with their point.
    package var makesDecimals: Bool { to.type == .decimal && !to.isInteger }

    /// Whether a number is written otherwise now, though the type of the column may be the same.
    var isOfNumbers: Bool { exponent != 0 || makesDecimals }
}
