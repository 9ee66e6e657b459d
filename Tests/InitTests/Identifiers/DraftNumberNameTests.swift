import Testing

@testable import SluiceInit

/// Numbers in texts by which services know something.
@Suite struct DraftNumberNameTests {
    /// As SAP numbers customers and goods; names are unique today.
    @Test(arguments: [("kunnr", 10), ("Customer", 10), ("matnr", 18)])
    func numbersWithZerosInFrontIdentify(_ name: String, _ length: Int) throws {
        let number = { (row: Int) in
            let digits = "\(100_013 + row * 7)"
            return String(repeating: "0", count: length - digits.count) + digits
        }
        let text = try InitRun.Draft.text(
            of: list(30) { #"{"name": "Firm \#($0)", "\#(name)": "\#(number($0))", "land": "L\#($0 % 3)"}"# })
        #expect(text.contains(#""identifier": "\#(name)""#), "\(text)")
    }

    /// A telephone begins with zeros, too.
    @Test func telephonesIdentifyNobody() throws {
        let people = list(30) { #"{"name": "Person \#($0)", "phone": "0030\#(1_000_000 + $0 * 7919)"}"# }
        let text = try InitRun.Draft.text(of: people)
        #expect(text.contains(#""identifier": "name""#), "\(text)")
    }

    /// Of the addresses of a person, one is meant, whatever may be called there, and whoever else lives there.
    @Test(arguments: [#""telephone_number": "212-555-1"#, #""postal_code": "10001"#])
    func whatAnAddressHasIsNone(_ beginning: String) throws {
        let people = list(30) { row in
            let addresses = ["MAILING", "LOCATION"].enumerated().map { at, purpose in
                #"{"purpose": "\#(purpose)", \#(beginning)\#(100 + row * 2 + at)"}"#
            }
            return #"{"number": "1\#(row * 7919 + 100_000_000)", "addresses": [\#(addresses.joined(separator: ","))]}"#
        }
        let text = try InitRun.Draft.text(of: people)
        #expect(text.contains(#"_number", "purpose"]"#), "\(text)")
    }

    /// What has its `id` in one word is called as identifiers are.
    @Test func anIdInOneWordIdentifies() throws {
        let day = { (row: Int) in "202509\(10 + row % 17)" }
        let reports = list(30) { row in
            #"{"safetyreportid": "\#(20_000_000 + row * 7919)", "sentdate": "\#(day(row))", "#
                + #""receivedate": "\#(day(row * 7 + row / 17))", "serious": "\#(row % 2 + 1)"}"#
        }
        let text = try InitRun.Draft.text(of: #"{"results": \#(reports)}"#)
        #expect(text.contains(#""identifier": "safetyreportid""#), "\(text)")
    }

    /// A process has the number of another one that has ended.
    @Test func theNumberOfAProcessIsNone() throws {
        let lines = (0..<40).map { row in
            #"{"host": "web\#(row % 3)", "procid": "\#(500 + row * 7)", "timereported": "2026-11-20T07:\#(10 + row):01.5Z", "#
                + #""msg": "m \#(row % 5)"}"#
        }
        let text = try InitRun.Draft.text(of: lines.joined(separator: "\n"), "syslog.ndjson")
        #expect(text.contains(#""identifier": ["timereported", "host"]"#), "\(text)")
    }

    /// What a study is known by stands around the object with the sponsor's own number.
    @Test func whatIsAroundAnObjectComesFirst() throws {
        let studies = list(30) { row in
            let own = #""nctId": "NCT0\#(1_000_000 + row * 7919)", "orgStudyIdInfo": {"id": "A-\#(row * 3 + 100)"}"#
            return #"{"section": {"identification": {\#(own), "title": "T \#(row)"}}, "hasResults": true}"#
        }
        let text = try InitRun.Draft.text(of: #"{"studies": \#(studies)}"#)
        #expect(text.contains(#""identifier": "nctId""#), "\(text)")
    }
}
