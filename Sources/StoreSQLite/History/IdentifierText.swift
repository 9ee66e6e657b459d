import SluiceRecords
import SluiceSchema

/// A part of an identifier as a text, as people write it. The stored value, not the attribute, decides how it is
/// compared, as the attribute may have had another type: as a text, as an integer in its only spelling (to a column of
/// texts, `01` is not `1`), as a real, or as bytes in hexadecimal digits.
struct IdentifierText {
    let text: String

    /// The parameters of ``condition(_:first:)``.
    var values: [PastValue] {
        [.text(text), number.map { .integer($0) } ?? .text(text)] + (real.map { [.real($0)] } ?? [])
    }

    private var number: Int64? { Int64(text).flatMap { String($0).isIdentical(to: text) ? $0 : nil } }

    private var real: Double? {
        let isWritten = text.utf8.contains { ".eE".utf8.contains($0) }
        guard isWritten, text.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }) else { return nil }
        return Double(text)
    }

    private var bytes: String? {
        let isHex = text.utf8.count % 2 == 0 && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        return isHex ? "x'\(text)'" : nil
    }

    /// The condition that a column holds this part. A real is compared with reals alone: a column of texts would make a
    /// text of it.
    ///
    /// - Parameter first: the number of the first parameter.
    func condition(_ column: String, first: Int) -> String {
        let plain = "\(column) IN (?\(first), ?\(first + 1)\(bytes.map { ", " + $0 } ?? ""))"
        if real == nil { return plain }
        return "(\(plain) OR typeof(\(column)) = 'real' AND \(column) = ?\(first + 2))"
    }
}
