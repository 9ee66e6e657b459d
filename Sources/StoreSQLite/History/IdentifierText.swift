import SluiceRecords

/// A part of an identifier as a text, such as people write it. What it is compared with says itself what it is, as the
/// attribute may have had another type: a text, a number as it is written alone (to a column of texts, `01` is not `1`), or
/// bytes in hexadecimal digits.
struct IdentifierText {
    let text: String

    /// The number that it is; nil: it is none.
    var number: Int64? { Int64(text).flatMap { String($0).isIdentical(to: text) ? $0 : nil } }

    private var bytes: String? {
        let isHex = text.utf8.count % 2 == 0 && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        return isHex ? "x'\(text)'" : nil
    }

    /// Whether a column holds it.
    ///
    /// - Parameter first: the number of the first of two parameters: the text, and the number, or again the text.
    func condition(_ column: String, first: Int) -> String {
        "\(column) IN (?\(first), ?\(first + 1)\(bytes.map { ", " + $0 } ?? ""))"
    }
}
