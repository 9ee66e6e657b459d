import SluiceDefinition
import SluiceRecords

/// Texts of a draft.
enum DraftText {
    /// A text as a value in a definition, in which `${` would be a variable.
    static func quoted(_ text: String) -> String {
        var (escaped, last) = ("", Unicode.Scalar(0))
        for scalar in text.unicodeScalars {
            if scalar == "{", last == "$" { escaped += "$" }
            escaped.unicodeScalars.append(scalar)
            last = scalar
        }
        // `$${` stands for `${`.
        return JSONText.quoted(escaped)
    }

    /// One of them, or a list.
    static func list(_ texts: [String]) -> String {
        JSONText.oneOrArray(texts.map(quoted))
    }
}
