import SluiceRecords

/// The form in which a column's past values were written, and the other one in which they are written now.
package struct PastForms {
    package let then: StoredForm
    package let now: StoredForm

    /// Nil where the forms are the same.
    init?(_ then: StoredForm, _ now: StoredForm) {
        if then == now { return nil }
        (self.then, self.now) = (then, now)
    }

    /// Of the power of ten by which numbers are multiplied, where integers count other units now; else 0.
    package var exponent: Int { now.unitDigits - then.unitDigits }

    /// Whether the column holds decimals now that are written with their point.
    package var makesDecimals: Bool { now.type == .decimal && !now.isInteger }

    /// Whether a number is written otherwise now, though the type of the column may be the same.
    var isOfNumbers: Bool { exponent != 0 || makesDecimals }
}
