import SluiceRecords
import SluiceTransform
import Testing

/// What a reject proposes, where the value shows how it is written.
@Suite struct ValueHintTests {
    private func reason(_ value: Raw, _ type: AttributeType, format: String? = nil, required: Bool = false) throws
        -> String
    {
        var attribute = Attribute(
            name: "a", value: ValueRule(.slot(0)), conversion: Conversion(type, format: format))
        attribute.required = required
        let bench = try Bench(Model(entities: [Bench.entity(slots: 1, attributes: [attribute])]))
        bench.append([value])
        bench.transform()
        return try #require(bench.batch.faults.first).reason
    }

    @Test(arguments: [
        ("09.01.1789", AttributeType.date, #""format": "%d.%m.%Y" reads it"#),
        ("2026/11/23", .date, #""format": "%Y/%m/%d" reads it"#),
        ("23 Nov 2026", .date, #""format": "%d %b %Y" reads it"#),
        ("11/23/2026", .date, #""format": "%m/%d/%Y" reads it"#),
        ("03/04/2026", .date, #""format": "%d/%m/%Y" or "%m/%d/%Y" reads it"#),
        ("2026-11-23T10:00:00Z", .date, #""type": "datetime" reads it"#),
        ("2026-11-23", .datetime, #""type": "date" reads it"#),
        ("2026-1-1", .date, #""format": "%Y-%m-%d" reads it"#),
        ("2026-1-1", .datetime, #""type": "date", "format": "%Y-%m-%d" reads it"#),
        ("23.11.2026", .datetime, #""type": "date", "format": "%d.%m.%Y" reads it"#),
        (
            "23.11.2026 10:30", .datetime,
            #""format": "%d.%m.%Y %H:%M" reads it, with a "timeZone" such as "Europe/Berlin""#
        ),
        ("1700000000", .datetime, #""format": "unix" takes it for seconds since 1970"#),
        ("1700000000123", .datetime, #""format": "unix-ms" takes it for milliseconds since 1970"#),
        ("Ja", .boolean, #""map": { "Ja": true, "Nein": false } reads it"#),
        ("no", .boolean, #""map": { "yes": true, "no": false } reads it"#),
        ("Y", .boolean, #""map": { "Y": true, "N": false } reads it"#),
        ("12,5", .real, #""decimalMark": "," reads it"#),
        ("12,50", .integer, #""type": "decimal", "decimalMark": "," reads it"#),
        ("12,00", .integer, #""decimalMark": "," reads it"#),
        ("1.234,50", .decimal, #""decimalMark": ",", "thousands": "." reads it"#),
        ("1,234.5", .real, #""thousands": "," reads it"#),
        (
            "1,234", .real,
            #""thousands": "," reads it where the comma stands between groups, "decimalMark": "," where before a fraction"#
        ),
        ("5 %", .integer, #""match": "-?\\d(?:.*\\d)?" takes the number without its "%""#),
        ("€12,50", .decimal, #""match": "-?\\d(?:.*\\d)?", "decimalMark": "," takes the number without its "€""#),
        ("n/a", .integer, #""nullIf": ["n/a"] makes it null"#), ("", .date, #""nullIf": [""] makes it null"#),
    ])
    func textsAreToldHowTheyAreRead(_ text: String, _ type: AttributeType, _ hint: String) throws {
        #expect(try reason(.string(text), type) == "\(type.rawValue) expected, found the string \"\(text)\": \(hint)")
    }

    /// Of a unit in letters, other records may have another one.
    @Test(arguments: [
        ("x7", AttributeType.integer), ("2nd", .integer), ("12 km", .real), ("%", .real), ("maybe", .boolean),
        ("31.13.2026", .date), ("soon", .datetime),
    ])
    func nothingIsProposedThatIsNotSeen(_ text: String, _ type: AttributeType) throws {
        #expect(try reason(.string(text), type) == "\(type.rawValue) expected, found the string \"\(text)\"")
    }

    @Test func numbersAreToldHowTheyAreRead() throws {
        #expect(try reason(.no, .integer).hasSuffix(#": "nullIf": [false] makes it null"#))
        #expect(try reason(1_700_000_000, .datetime).hasSuffix(#": "format": "unix" takes it for seconds since 1970"#))
        #expect(try reason(20_261_120, .date).hasSuffix(#": "format": "%Y%m%d" reads it"#))
        #expect(try reason(.number("1.5"), .integer).hasSuffix(#": "type": "real" or "decimal" takes it"#))
    }

    @Test func anotherFormatIsProposed() throws {
        #expect(
            try reason(.string("2026-11-23"), .date, format: "%d.%m.%Y")
                .hasSuffix(#": "format": ["%d.%m.%Y", "%Y-%m-%d"] reads it, too"#))
        let format = "%Y-%m-%d %H:%M%z"
        for (value, hint) in [
            (Raw.string("2026-11-23T10:00:00Z"), #"["\#(format)", "rfc3339"] reads it, too"#),
            (1_700_000_000, #"["\#(format)", "unix"] reads it, too"#),
            (
                .string("23.11.2026 10:00"),
                #"%d.%m.%Y %H:%M"] reads it, too, with a "timeZone" such as "Europe/Berlin""#
            ),
            (.string("03/04/2026"), #": "format": "%d/%m/%Y" or "%m/%d/%Y" reads it"#),
            (.string("n/a"), "makes it null"),
        ] {
            let reason = try reason(value, .datetime, format: format)
            #expect(reason.hasSuffix(hint), "\(reason)")
        }
    }

    @Test(arguments: [
        (Raw.string("2026-11-21T10:00:00Z"), #": "format": ["unix-ms", "rfc3339"] reads it, too"#),
        (.string("soon"), "found the string \"soon\""), (.string("n/a"), #": "nullIf": ["n/a"] makes it null"#),
    ])
    func whatIsNoTimeSince1970HasAFormat(_ value: Raw, _ hint: String) throws {
        let reason = try reason(value, .datetime, format: "unix-ms")
        #expect(reason.hasPrefix("datetime as a number expected, found ") && reason.hasSuffix(hint), "\(reason)")
    }

    @Test func aTimeWithoutAnOffsetNeedsAZone() throws {
        #expect(try reason(.string("2026-11-23T10:00:00"), .datetime).contains(#""timeZone": "UTC""#))
    }

    /// What is absent is said with the path at which it was looked for.
    @Test func whatIsAbsentHasItsPath() throws {
        #expect(try reason(.absent, .text, required: true).contains("required, but absent: there is no "))
    }
}
