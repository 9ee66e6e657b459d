import Foundation
import TestSupport
import Testing

/// One file of several that is none of the feed makes no object absent.
struct FileSeriesTests {
    private let folder = TemporaryFolder()

    private func define(_ ending: String, records: String) throws -> String {
        try folder.write(
            "p.json",
            """
            { "source": { "file": "f*.\(ending)" }, "store": { "sqlite": "s.sqlite" }, "limits": { "deletes": null },
              "entities": { "V": { "records": "\(records)", "identifier": "id", "absent": "delete",
                "attributes": { "id": "integer", "v": "text" } } } }
            """)
    }

    private func count() throws -> Int { try Database(folder.file("s.sqlite")).rows("SELECT * FROM V").count }

    /// - Parameter status: 65: the run fails; 0: what is odd is told, and nothing is deleted; nil: it is an empty file.
    private func expect(_ definition: String, _ file: String, _ content: String, _ status: Int32?) throws {
        _ = try folder.write(file, content)
        for words in [["--dry-run"], []] {
            let outcome = try Sluice.run(["run", definition] + words)
            #expect(outcome.status == status ?? 0, "\(content): \(outcome.errors)")
            let signs = ["nothing of what leads to records", "is empty"]
            let isTold = signs.contains { outcome.output.contains($0) }
            #expect(isTold == (status == 0), "\(content): \(outcome.output)")
        }
        #expect(try count() == (status == nil ? 2 : 4), "\(content)")
    }

    @Test(
        arguments: [
            ("404 Not Found\n", 0), ("error,message", 0), (#"{"error":"backend timeout"}"#, 0), ("", 0), ("\n", 0),
            ("id,v\n", nil), ("\u{feff}v, \"id\" \r\n", nil),
        ] as [(String, Int32?)])
    func tables(_ content: String, _ status: Int32?) throws {
        let definition = try define("csv", records: "$")
        _ = try folder.write("f1.csv", "id,v\n1,a\n2,a\n")
        _ = try folder.write("f2.csv", "id,v\n3,a\n4,a\n")
        #expect(try Sluice.run(["run", definition]).status == 0)
        try expect(definition, "f2.csv", content, status)
    }

    @Test(
        arguments: [
            (#"{"error":"backend timeout"}"#, 65), (#"{"message":"rate limit","status":"error"}"#, 65), ("{}", 0),
            ("null", 0), ("[]", 0), ("\"maintenance\"", 0), (#"{"rows":[{"id":3},{"id":4}]}"#, 0),
            (#"{"r":null,"error":"quota"}"#, 65), (#"{"r":[]}"#, nil), (#"{"r":null}"#, nil),
        ] as [(String, Int32?)])
    func documents(_ content: String, _ status: Int32?) throws {
        let definition = try define("json", records: "$.r[*]")
        _ = try folder.write("f1.json", #"{"r":[{"id":1},{"id":2}]}"#)
        _ = try folder.write("f2.json", #"{"r":[{"id":3},{"id":4}]}"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        try expect(definition, "f2.json", content, status)
    }

    /// Whichever it is, and where all objects of an entity would go.
    @Test(arguments: ["f1.json", "f2.json"]) func eachOfThem(_ odd: String) throws {
        let definition = try define("json", records: "$.r[*]")
        _ = try folder.write("f1.json", #"{"r":[{"id":1},{"id":2}]}"#)
        _ = try folder.write("f2.json", #"{"r":[{"id":3},{"id":4}]}"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        try expect(definition, odd, "{}", 0)
    }

    @Test(arguments: [("[]", nil), ("{}", 0), ("null", 0), (#"{"status":{"code":5}}"#, 65)] as [(String, Int32?)])
    func lists(_ content: String, _ status: Int32?) throws {
        let definition = try define("json", records: "$[*]")
        _ = try folder.write("f1.json", #"[{"id":1},{"id":2}]"#)
        _ = try folder.write("f2.json", #"[{"id":3},{"id":4}]"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        if status == 65 {
            _ = try folder.write("f2.json", content)
            #expect(try Sluice.run(["run", definition]).status == 65)
            #expect(try count() == 4)
        } else {
            try expect(definition, "f2.json", content, status)
        }
    }
}
