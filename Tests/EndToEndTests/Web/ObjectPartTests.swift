import Foundation
import TestSupport
import Testing

/// Parts of an extraction that are written to a bucket.
@Suite struct ObjectPartTests {
    private let all: ObjectScene
    private let scene: WebScene

    init() throws {
        all = try ObjectScene(#""file": "items.json""#)
        scene = all.scene
        try all.offer([:])
        _ = try scene.folder.write("items.json", #"{"items": [{"id": 1}, {"id": "x"}]}"#)
    }

    private func extract() throws -> Sluice.Outcome {
        try all.sluice("extract", scene.definition, "--to", "s3://feeds/parts")
    }

    @Test func aPart() throws {
        let outcome = try extract()
        #expect(outcome.status == 0 && outcome.output == "main-items.json: Item 1; rejects 1\n", "\(outcome.errors)")
        let keys = ["Item/main-items.json.parquet", "findings/main-items.json.ndjson", "manifest/main-items.json.json"]
        #expect(try all.keys == (keys + ["rejects/Item/main-items.json.parquet"]).map { "parts/" + $0 })
        let writes = try all.service.requests.filter { $0.method == "PUT" }.map(\.key)
        #expect(writes.last == "parts/manifest/main-items.json.json")
        // The same as in a folder.
        let local = scene.folder.file("parts")
        #expect(try all.sluice("extract", scene.definition, "--to", local).status == 0)
        for key in try all.keys {
            let file = scene.folder.file(key)
            let object = try #require(try all.service.state.objects["feeds"]?[key])
            #expect(try object == Data(contentsOf: URL(fileURLWithPath: file)), "\(key)")
        }
        let again = try extract()
        #expect(again.output == "main-items.json: is there already\n", "\(again.errors)")
    }

    @Test func nothingOfAPartStays() throws {
        try all.offer([:], ["refuses": ["PUT parts/manifest/main-items.json.json"]])
        let refused = try extract()
        #expect(refused.status == 77, "\(refused.errors)")
        #expect(try all.keys.isEmpty)
        _ = try scene.folder.write("items.json", "{")
        #expect(try extract().status == 65)
        #expect(try all.keys.isEmpty)
        try all.offer([:], ["fails": Array(repeating: 503, count: 100)])
        #expect(try extract().status == 69)
        #expect(try all.sluice("extract", scene.definition, "--to", "s3://feeds/*").status == 64)
    }
}
