import Testing

@testable import SluiceReport

/// Text as a terminal shows it.
@Suite struct TextWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("Größe", 5), ("e\u{301}", 1), ("日本語", 6), ("ｆ", 2), ("한국", 4), ("🚆", 2), ("👩‍👩‍👧", 2),
        ("🇩🇪", 2),
        ("✔", 1), ("❤️", 2), ("…", 1), ("∅", 1), ("\u{200B}", 0),
    ])
    func columns(text: String, columns: Int) { #expect(text.columns == columns) }

    private func text(_ random: inout SystemRandomNumberGenerator) -> String {
        let words = ["a", "word", "日本語", "Straße", "🚆🚆", "e\u{301}", "", "longer-than-most-words"]
        return (0..<Int.random(in: 1...40, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
            .joined(separator: " ")
    }

    /// Whatever the text, lines fit, and nothing is lost.
    @Test(arguments: 30...60)
    func wrappedLinesFit(width: Int) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let text = text(&random)
            let lines = text.wrapped(width, first: "> ", rest: ">> ").split(
                separator: "\n", omittingEmptySubsequences: false
            ).map(String.init)
            #expect(lines.allSatisfy { $0.columns <= width }, "\(lines)")
            #expect(lines[0].hasPrefix("> ") && lines.dropFirst().allSatisfy { $0.hasPrefix(">> ") })
            let parts = [String(lines[0].dropFirst(2))] + lines.dropFirst().map { String($0.dropFirst(3)) }
            #expect(parts.joined(separator: " ") == text)
        }
    }

    @Test func whatHasNoSpaceIsNotBroken() {
        #expect("one /a/very/long/path two".wrapped(8, rest: "  ") == "one\n  /a/very/long/path\n  two")
    }

    @Test func shortenedTextsFit() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let (text, width) = (text(&random), Int.random(in: 1...40, using: &random))
            let short = text.shortened(toColumns: width)
            #expect(short.columns <= width)
            #expect(short == text ? text.columns <= width : short.hasSuffix("…") && text.hasPrefix(short.dropLast()))
        }
    }

    /// Nothing that a terminal would obey gets through.
    @Test func printableTextsAreHarmless() {
        #expect(
            "\u{1B}[31mred\u{7}\r\n\t\u{9B}\u{202E}x\u{2028}".printable
                == #"\u001b[31mred\u0007\r\n\t\u009b\u202ex\u2028"#)
        #expect("Größe 日本語 🚆".printable == "Größe 日本語 🚆")
        #expect("a\u{200B}b\u{2060}\u{FEFF}\u{AD}\u{E0041}".printable == #"a\u200bb\u2060\ufeff\u00ad\udb40\udc41"#)
        // Emoji and some scripts need joiners; between other characters nobody sees them.
        #expect("👩‍👩‍👧 می‌خواهم".printable == "👩‍👩‍👧 می‌خواهم")
        #expect("a\u{200D}b\u{200C}é\u{200D}".printable == #"a\u200db\u200cé\u200d"#)
    }

    /// Names that are longer than what the figures leave stand above them.
    @Test func longNamesStandInLinesOfTheirOwn() {
        var table = TextTable(header: ["Entity", "Records"])
        table.rows = [["Stop", "1"], ["日本のいくつかの駅と路線の名前", "2"], ["sixteen letters.", "3"]]
        table.width = 27
        let expected = """
              Entity            Records
              Stop                    1
              日本のいくつかの駅と路線の名前
                                      2
              sixteen letters.        3

            """
        #expect(table.text == expected)
        // Where the figures leave less than a name takes, the table continues below.
        table.width = 26
        #expect(table.text.hasPrefix("  Entity                          Records\n"))
    }

    @Test func aWideTableContinuesBelow() {
        var table = TextTable(header: ["name", "aaaa", "bbbb", "cccc"])
        table.rows = [["日本", "1", "2", "3"], ["x", "10", "20", "30"]]
        table.width = 20
        let expected = """
              name  aaaa  bbbb
              日本     1     2
              x       10    20

              name  cccc
              日本     3
              x       30

            """
        #expect(table.text == expected)
        table.width = 26
        #expect(table.text.hasPrefix("  name  aaaa  bbbb  cccc\n"))
        // Nothing can be done about a terminal that is too narrow for two columns.
        table.width = 3
        #expect(table.text.split(separator: "\n").count == 9)
    }
}
