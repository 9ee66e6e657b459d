import Foundation
import SluicePosix
import Testing

/// A file that may have been meant.
struct NearbyFileTests {
    @Test(arguments: [
        ("god.json", "good.json"), ("goood.json", "good.json"), ("gopd.json", "good.json"), ("ogod.json", "good.json"),
        ("bad.json", nil), ("goo.jsonl", nil), ("good.json", nil),
    ])
    func aFileWithOneMistakeIsNear(_ name: String, _ near: String?) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "near-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for other in ["good.json", ".gods.json", "unlike.csv"] {
            try Data().write(to: folder.appending(path: other))
        }
        let expected = near.map { ": did you mean \(folder.path)/\($0)?" } ?? ""
        #expect(NearbyFile.suggestion(for: folder.path + "/" + name) == expected)
    }

    @Test func aFolderThatIsNotThereHasNoFiles() {
        #expect(NearbyFile.suggestion(for: "/no/such/feed.json").isEmpty)
    }
}
