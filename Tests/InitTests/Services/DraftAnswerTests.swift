import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// Files and answers that are a record each.
@Suite struct DraftAnswerTests {
    /// Icons as a folder has them, which nothing but their files names, and what these name in another folder.
    @Test func filesAreRecordsOfTheirLists() throws {
        let folder = FeedFolder()
        for (number, icon) in ["airplay", "album", "alarm", "axe", "ball"].enumerated() {
            let aliases = number > 2 ? #","aliases":[{"name":"old-\#(icon)","deprecated":true}]"# : ""
            let kind = number % 2 == 0 ? "text" : "devices"
            try folder.write(
                "icons/\(icon).json",
                #"{"$schema":"../icon.json","tags":["t\#(number)","u"],"categories":["\#(kind)","design"]\#(aliases)}"#)
        }
        for name in ["text", "design", "devices"] {
            try folder.write("categories/\(name).json", #"{"title":"\#(name.uppercased())","icon":"\#(name)-icon"}"#)
        }
        let draft = try folder.draft(["icons/*.json", "categories/*.json"])
        let report = PipelineRun(checked: try draft.definition(), options: RunOptions()).perform()
        #expect(report.outcome.status == .succeeded)
        let counts = Dictionary(uniqueKeysWithValues: report.entities.map { ($0.name, $0.counts.created) })
        #expect(counts == ["Icon": 5, "Alias": 2, "Category": 3], "\(draft.text)")
        let stem = #""from": "$file", "match": "(.+)\\.json$""#
        #expect(draft.text.contains(#""file": { "type": "text", \#(stem) }"#), "\(draft.text)")
        #expect(draft.text.contains(#""categories": { "to": "Category", "from": "categories[*]", "many": true }"#))
        #expect(report.entities.flatMap(\.counts.relationships).allSatisfy { $0.unresolved == 0 }, "\(draft.text)")
    }

    private func person(_ number: Int) -> String {
        #"{"data":{"id":"10\#(number)","type":"people","attributes":{"title":"P\#(number)","first":"F\#(number)"},"#
            + #""relationships":{"projects":{"data":[{"id":"5\#(number % 2)","type":"projects"}]},"#
            + #""studies":{"data":[]}},"links":{"self":"/people/\#(number)"}},"jsonapi":{"version":"1.0"}}"#
    }

    /// An answer of JSON:API that is one object, alone and among others.
    @Test(arguments: [1, 4]) func theRecordOfAnAnswerIsItsData(_ count: Int) throws {
        let folder = FeedFolder()
        for number in 0..<count { try folder.write("people/\(number).json", person(number)) }
        let text = try folder.draft([count == 1 ? "people/0.json" : "people/*.json"]).text
        #expect(text.contains(#""records": "$.data""#), "\(text)")
        #expect(text.contains(#"{ "type": "text", "from": "attributes.title""#), "\(text)")
    }

    @Test func theObjectInEachAnswerIsARecord() throws {
        let folder = FeedFolder()
        for number in 0..<4 {
            try folder.write("shops/\(number).json", #"{"result":{"id":\#(number + 7),"town":"t"},"success":true}"#)
        }
        let text = try folder.draft(["shops/*.json"]).text
        #expect(text.contains(#""records": "$.result""#) && text.contains(#""identifier": "id""#), "\(text)")
    }

    /// A page that is empty today is no record.
    @Test(arguments: [
        #"{"data":[],"jsonapi":{"version":"1.0"},"links":{"self":"/a?page=1","next":null},"meta":{"base_url":"x"}}"#,
        #"{"object":"list","data":[],"has_more":false,"url":"/v1/charges"}"#, #"{"items":[],"total":0,"page":1}"#,
    ])
    func anEmptyPageIsNoRecord(_ page: String) throws {
        let failure = #expect(throws: Failure.self) { try InitRun.Draft.text(of: page) }
        #expect(failure?.message.contains("there are no objects in it") == true)
    }
}
