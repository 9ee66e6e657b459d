import SluiceRecords

/// A name as SQL wants it: quoted, so that any name works. A quote is doubled whatever follows it: with an accent that
/// combines with it, Swift would take both for one character.
package func quoted(_ name: String) -> String { name.inQuotes("\"") }

/// A text, as SQL has it.
package func quotedText(_ text: String) -> String { text.inQuotes("'") }
