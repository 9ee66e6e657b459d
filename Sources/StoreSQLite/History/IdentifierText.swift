import SluiceRecords

/// A part of an identifier as a text, as people write it. The stored value, not the attribute, decides how it is
/// compared, as the attribute may have had another type: as a text, as a number in its only spelling (to a column of
/// texts, `01` is not `1`), or as bytes in hexadecimal digits.
struct IdentifierText {
    let text: String

    /// The number that it is; nil: it is none.
    var number: Int64? { Int64(text).flatMap { String($0).isIdentical(to: text) ? $0 : nil } }

    private var bytes: String? {
        let isHex = text.utf8.count % 2 == 0 && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        return isHex ? "x'\(text)'" : nil
    }

    /// The condition that a column holds this part.
    ///
    /// - Parameter first: the number of the first of two parameters: the text, and the number, or again the text.
    func condition(_ column: String, first: Int) -> String {
        "\(column) IN (?\(first), ?\(first + 1)\(bytes.map { ", " + $0 } ?? ""))"
    }
}
