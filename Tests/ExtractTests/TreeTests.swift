import Records
import Testing

@testable import Extract

struct TreeTests {
    private func read(_ text: String) throws(Failure) -> JSONTree {
        try JSONTree.read(Array(text.utf8), file: "x.json")
    }
    @Test(arguments: ["", "  ", "[1,]", "[1,,2]", "{,}", "{\"a\" 1}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "[1 2]", "1 2", "tru", "{'a':1}", "[\"a\nb\"]", "[\"\\x\"]", "[\"\\u12G4\"]", "[\"\\ud800\"]", "[1\u{c}]", "1\u{b}", "[\n  1.,2]", "[-]", "[1e]", "[01]", "\"abc", "/* x", "[1, /* x", "{\"a\": [1,\n", "[/ 1]", "[+1]", "[.5]", "nul", "[NaN]", "1\u{b}2", "[1]]", ":", "[\"a\":1]"])
    func show(_ text: String) throws {
        do { _ = try read(text); print("OK  ", text.debugDescription) } catch { print(text.debugDescription, error) }
    }
}
