import Testing

/// The reader of the tests takes what is JSON, and nothing else.
struct StrictJSONTests {
    @Test(arguments: [
        "", "null", " [] ", #"{"a": [1, -0.5e+7, "\u00e9\n", true, false, {}]}"#, "1\n2 \"x\"", #""\ud800""#,
    ])
    func takesWhatIsJSON(_ text: String) { #expect(StrictJSON.complaint(text) == nil) }

    @Test(arguments: [
        "nullnull", "{\"a\": nullnull}", "01", "1.", ".5", "+1", "[1,]", "{,}", "{\"a\"}", "[1 2]", "'a'", "\"\t\"",
        #""\x""#, #""\u00g0""#, "NaN", "tru", "[", "\"", "{\"a\":1}{\"a\":1}", "// x\n1", "\u{c}1", "1e", "-",
    ])
    func refusesAllElse(_ text: String) { #expect(StrictJSON.complaint(text) != nil) }
}
