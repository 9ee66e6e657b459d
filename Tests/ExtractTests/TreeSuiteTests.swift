import Foundation
import Testing

@testable import Extract

/// The JSON test suite, which is beside the project and no part of it.
private let suite = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/feeds/json-test-suite/test_parsing").standardized

/// A definition may hold comments.
private let withComments = [
    "n_object_trailing_comment.json", "n_object_trailing_comment_slash_open.json",
    "n_structure_object_with_comment.json",
]

@Test(.enabled(if: FileManager.default.fileExists(atPath: suite.path), "no ../shared/feeds/json-test-suite"))
func treeAgreesWithTheTestSuite() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: suite.path).sorted() {
        guard !withComments.contains(name) else { continue }
        let bytes = [UInt8](try Data(contentsOf: suite.appending(path: name)))
        let isTaken = (try? JSONTree.read(bytes, file: name)) != nil
        if name.hasPrefix("y_") { #expect(isTaken, "\(name) was refused") }
        if name.hasPrefix("n_") { #expect(!isTaken, "\(name) was taken") }
    }
}
