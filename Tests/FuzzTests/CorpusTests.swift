import Foundation
import Fuzz
import Testing

/// The seeds of `make fuzz`, and what it has found: every harness is content with each of them.
@Suite(.serialized) struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/Corpus")

    @Test(arguments: Harness.allCases) func isContent(_ harness: Harness) throws {
        let folder = Self.folder.appending(path: harness.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!names.isEmpty)
        for name in names {
            let input = Array(try Data(contentsOf: folder.appending(path: name)))
            let complaint = harness.complaint(about: input)
            #expect(complaint == nil, "\(harness.rawValue)/\(name)")
        }
    }
}
