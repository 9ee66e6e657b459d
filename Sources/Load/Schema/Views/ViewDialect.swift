import SluiceRecords

/// What stores say differently in the views of their entities.
protocol ViewDialect {
    /// A table, as SQL has it.
    func table(_ name: String) -> String

    /// The one reference of a row of `x`: the identifier of an object as one value, in a column that may show those of
    /// several entities.
    func identifier(_ parts: [KeyPart]) -> String

    /// An identifier as an element of a JSON list.
    func element(_ parts: [KeyPart]) -> String

    /// A JSON list of the column `value` of rows in the order of their `position`, after a parenthesis.
    func list(_ rows: String, isCompound: Bool) -> String

    /// Likewise, of objects with their columns `entity` and `value`.
    func polymorphicList(_ rows: String, isCompound: Bool) -> String
}

/// A part of an identifier, of the table `x`.
struct KeyPart {
    /// As SQL has it.
    var column: String
    /// nil: a later version of sluice knows it.
    var form: StoredForm?
}
