import SluiceRecords

/// Why a text is no address: the rest of a sentence that begins with what the text is.
package struct AddressError: Error, Sendable, Hashable {
    package let message: String

    init(_ message: String) { self.message = message }

    /// What is wrong with an address that somebody named on the command line.
    package func failure(of text: String) -> Failure { Failure(.usage, "\(text.printable) \(message)") }
}
