import SluicePosix
import Testing

/// Which paths patterns match.
@Suite struct PathPatternTests {
    @Test(arguments: [
        ("a/b.json", "a/*.json", true), ("a/b/c.json", "a/*.json", false), ("a/.b.json", "a/*.json", false),
        ("a/b.json", "a/**/b.json", true), ("a/x/y/b.json", "a/**/b.json", true), ("a/x/b.json", "a/**/c.json", false),
        ("a/.x/b.json", "a/**/b.json", false), ("b.json", "**/*.json", true), ("x/y/b.json", "**/*.json", true),
        ("x/y", "**", true), ("x/.y", "**", false), ("x", "x/**", false), ("x/y/z", "x/**", true),
        ("a/b/c/d", "a/**/c/**", true), ("a/b/c", "a/**/c/**", false), ("a/b/x/c/y/d", "a/**/x/**/d", true),
        ("a/xb.json", "a/**b.json", true), ("a/x/b.json", "a/**b.json", false), ("/a/b", "/**/b", true),
        ("a/b", "a/*/b", false), ("Ä/ö", "*/*", true),
    ]) func aPathMatches(path: String, pattern: String, isMatch: Bool) {
        #expect(PathPattern.matches(path.utf8, pattern) == isMatch)
    }

    @Test func whatIsEscapedMatchesItself() {
        for path in ["a*b", "[x]/?", "\\*", "a b"] {
            #expect(PathPattern.matches(path.utf8, PathPattern.escaped(path)))
            #expect(!PathPattern.matches("axb/y".utf8, PathPattern.escaped(path)))
        }
    }
}
