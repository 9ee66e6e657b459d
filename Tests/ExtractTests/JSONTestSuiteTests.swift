import Foundation
import SluiceExtract
import SluiceRecords
import Testing

private let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "JSONTestSuite/test_parsing")

/// The JSON parsing test suite of Nicolas Seriot.
@Suite struct JSONTestSuiteTests {
    @Test(arguments: [1, 7, 256 << 10]) func verdicts(_ chunk: Int) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 318)
        let all = [entity("Any", "$..[*]", "$", slots: ["@ json", "~", "a", "[*] many"])]
        let none = [entity("None", "$.nowhere[*]")]
        for name in names.sorted() {
            let feed = Array(try Data(contentsOf: folder.appending(path: name)))
            for entities in [all, none] {
                let found = extract(feed, entities, options: FeedOptions().with(chunk: chunk))
                #expect(found == extract(feed, entities), "\(name) in chunks of \(chunk)")
                switch name.first {
                case "y": #expect(found.failure == nil, "\(name)")
                case "n": #expect(found.failure?.contains(" @") == true, "\(name)")
                default: break
                }
                if let failure = found.failure { #expect(!failure.contains("yajl"), "\(name)") }
            }
        }
    }
}
