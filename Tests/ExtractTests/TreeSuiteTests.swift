import Foundation
import Testing

@testable import SluiceExtract

private let suite = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../JSONTestSuite/test_parsing").standardized

/// A definition may hold comments.
private let withComments = [
    "n_object_trailing_comment.json", "n_object_trailing_comment_slash_open.json",
    "n_structure_object_with_comment.json",
]

@Test func treeAgreesWithTheTestSuite() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: suite.path).sorted()
    #expect(names.count == 318)
    for name in names {
        guard !withComments.contains(name) else { continue }
        let bytes = [UInt8](try Data(contentsOf: suite.appending(path: name)))
        let isTaken = (try? JSONTree.read(bytes, file: name)) != nil
        if name.hasPrefix("y_") { #expect(isTaken, "\(name) was refused") }
        if name.hasPrefix("n_") { #expect(!isTaken, "\(name) was taken") }
    }
}
