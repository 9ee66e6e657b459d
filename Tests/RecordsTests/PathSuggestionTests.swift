import SluiceRecords
import Testing

@Suite struct PathSuggestionTests {
    /// Names as people write them who do not know yet how they are written.
    @Test(
        arguments: [
            ("stop-id", "['stop-id']"), ("$.release-notes[*].2.0", "$['release-notes'][*]['2']['0']"),
            ("a.channel-version", "a['channel-version']"), ("^.a b", "^['a b']"), ("x-y~", "['x-y']~"),
            ("$stops", "$.stops"), ("@.it's", "['it\\'s']"), ("$.a-b.*.c", "$['a-b'][*].c"),
            ("$.", nil), ("", nil), ("a..b-c", nil), ("a[", nil), ("a-b[1", nil),
        ] as [(String, String?)])
    func whatMayBeMeant(_ text: String, _ path: String?) { #expect(Path.suggestion(for: text)?.description == path) }
}
