import Testing

@testable import Sluice
@testable import SluiceInit

/// Maps whose keys identify what is behind them, and what is called after the members of a record.
@Suite struct DraftKeyTests {
    /// A key identifies in whatever order a map is, also where all objects have the same one.
    @Test func aKeyIsNoPlace() throws {
        let objects = (0..<6).map { #""k\#($0)": {"n": \#($0), "codes": {"201": {"d": "ok"}}}"# }
        let text = try InitRun.Draft.text(of: #"{"o": {\#(objects.joined(separator: ","))}}"#)
        #expect(text.contains(#""identifier": ["o_id", "key"]"#), "\(text)")
        #expect(!text.contains("place in the feed"), "\(text)")
    }

    @Test func relationshipsOfOneNameAreCalledAfterTheirObjects() throws {
        let paths = list(20) {
            #"{"id": "p\#($0)", "get": {"tags": ["t\#($0 % 5)"]}, "post": {"tags": ["t\#($0 % 4)"]}}"#
        }
        let text = try InitRun.Draft.text(
            of: #"{"paths": \#(paths), "tags": \#(list(5) { #"{"name": "t\#($0)", "about": "a\#($0)"}"# })}"#)
        #expect(
            text.contains(#""get_tags": { "to": "Tag""#) && text.contains(#""post_tags": { "to": "Tag""#), "\(text)")
    }

    /// A list of the record's own keeps its name beside one of an object in it.
    @Test func listsOfAMemberAreCalledAfterIt() throws {
        let paths = list(20) { path in
            let parameters = #"[{"name": "limit", "in": "query"}, {"name": "page\#(path)", "in": "query"}]"#
            return #"{"id": "p\#(path)", "get": {"parameters": \#(parameters)}, "parameters": \#(parameters)}"#
        }
        let text = try InitRun.Draft.text(of: #"{"paths": \#(paths)}"#)
        #expect(text.contains("\"GetParameter\": {\n      \"records\": \"$.paths[*].get.parameters[*]\""), "\(text)")
        #expect(text.contains("\"Parameter\": {\n      \"records\": \"$.paths[*].parameters[*]\""), "\(text)")
    }

    /// A key that no other record's map has today may well be in another one tomorrow: `"fields": { "zip": … }`.
    @Test func keysInRecordsAreKnownWithThese() throws {
        let tables = (0..<3).map { table in
            let fields = (0..<6).map { #""f\#(table * 10 + $0)": {"size": \#($0), "kind": "k\#($0 % 2)"}"# }
            return #"{"name": "t\#(table)", "id": "x\#(table)", "fields": {\#(fields.joined(separator: ", "))}}"#
        }
        let text = try InitRun.Draft.text(of: #"{"tables": [\#(tables.joined(separator: ", "))]}"#)
        #expect(text.contains(#""identifier": ["table_id", "key"]"#), "\(text)")
    }
}
