import Sluice
import SluiceRecords

/// A page of the manual, in the macros of man(7).
struct Roff {
    private(set) var source: String

    init(title: String) {
        source = ".TH \(Roff.text(title).uppercased()) 1 \"\" \"sluice \(version)\" \"Sluice\"\n"
    }

    /// A section of a paragraph, which is markup already.
    mutating func section(_ heading: String, _ paragraph: String) {
        source += ".SH \(heading.uppercased())\n\(paragraph)\n"
    }

    /// A section of terms and what they mean, markup both.
    mutating func section(_ heading: String, list: [(term: String, meaning: String)]) {
        source += ".SH \(heading.uppercased())\n"
        for (term, meaning) in list { source += ".TP\n\(term)\n\(meaning)\n" }
    }

    /// Text as markup: a dash stays one that can be copied, and no line is taken for a request.
    static func text(_ text: String) -> String {
        let escaped = text.replacingExactly("\\", with: "\\e").replacingExactly("-", with: "\\-")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// The words in capitals stand for what a user gives.
    static func placeholders(_ text: String) -> String {
        text.replacing(/[A-Z]+/) { "\\fI\($0.output)\\fR" }
    }
}
