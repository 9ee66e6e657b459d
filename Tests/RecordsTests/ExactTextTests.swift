import SluiceRecords
import Testing

/// Texts whose bytes count, whatever characters Unicode makes of them.
@Suite struct ExactTextTests {
    @Test(arguments: [
        ("", "'", "''", ""), ("'", "'", "''", "''"), ("a'b", "'", "''", "a''b"), ("''", "'", "''", "''''"),
        ("'\u{301}", "'", "''", "''\u{301}"), ("x'\u{20dd}'", "'", "''", "x''\u{20dd}''"),
        ("${\u{301}a}", "${", "$${", "$${\u{301}a}"), ("$", "${", "$${", "$"), ("aaa", "aa", "b", "ba"),
        ("/\u{338}", "/", "%2F", "%2F\u{338}"), ("\0\u{301}", "\0", "", "\u{301}"), ("é", "e", "x", "é"),
        ("e\u{301}", "e", "x", "x\u{301}"), ("e\u{301}", "é", "x", "e\u{301}"),
    ])
    func replacesBytes(_ text: String, _ found: String, _ other: String, _ expected: String) {
        #expect(text.replacingExactly(found, with: other).isIdentical(to: expected))
    }

    @Test func quotesAreDoubled() {
        #expect("O'\u{301}x".inQuotes("'").isIdentical(to: "'O''\u{301}x'"))
        #expect("\"\u{301}".inQuotes("\"").isIdentical(to: "\"\"\"\u{301}\""))
        #expect("".inQuotes("`") == "``")
    }

    @Test func spellingsOfALetterAreTwo() {
        let (one, two) = ("é", "e\u{301}")
        #expect(one == two && ExactText(one) != ExactText(two))
        #expect(["a", one].containsExactly(one) && !["a", one].containsExactly(two))
        #expect(Literal.text(one) != .text(two) && Literal.text(one) == .text("é"))
        #expect(Literal.text("1") != .number("1") && Literal.null == .null && Literal.boolean(true) != .boolean(false))
        #expect(Set([Literal.text(one), .text(two), .text(one)]).count == 2)
    }
}
