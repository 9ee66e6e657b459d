import SluiceRecords

/// A part of an identifier, of the table `x`.
package struct KeyPart {
    /// As SQL has it.
    package var column: String
    /// nil: a later version of sluice knows it.
    package var form: StoredForm?
}
