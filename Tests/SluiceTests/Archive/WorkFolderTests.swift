import Foundation
import SluiceRecords
import Testing

@testable import Sluice

/// Files grow in a folder of their own, and get names that nobody has.
@Suite struct WorkFolderTests {
    private let directory = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"

    private func contents(_ name: String) throws -> String {
        try String(contentsOfFile: directory + "/" + name, encoding: .utf8)
    }

    @Test func aNameThatIsTakenStaysWhoseItIs() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try "mine".write(toFile: directory + "/taken", atomically: true, encoding: .utf8)
        do {
            let folder = try WorkFolder(in: directory)
            try "new".write(toFile: folder.path(0, 0), atomically: true, encoding: .utf8)
            try "left".write(toFile: folder.path(0, 1), atomically: true, encoding: .utf8)
            #expect(try !folder.move(0, 0, to: directory + "/taken", replaces: false))
            #expect(try contents("taken") == "mine")
            #expect(try folder.move(0, 0, to: directory + "/free", replaces: false))
            #expect(try contents("free") == "new")
            // Another run leaves alone what this one has.
            let hour = Date().addingTimeInterval(-3600)
            let own = try #require(FileManager.default.contentsOfDirectory(atPath: directory).first { $0.first == "." })
            try FileManager.default.setAttributes([.modificationDate: hour], ofItemAtPath: directory + "/" + own)
            WorkFolder.removeLeftovers(in: directory)
            #expect(try folder.move(0, 1, to: directory + "/taken", replaces: true))
            #expect(try contents("taken") == "left")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["free", "taken"])
    }

    /// A thread that has read the feed may hold the archive when the process ends.
    @Test func whatHasNoNameGoesWhileSomebodyHoldsIt() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let place = try ArchiveFolder(directory)
        try "left".write(toFile: place.path(0, 0), atomically: true, encoding: .utf8)
        try "named".write(toFile: place.path(0, 1), atomically: true, encoding: .utf8)
        try place.open(owner: "mine", beginning: "feed")
        #expect(try place.name(0, 1, "feed", replaces: false))
        // No ledger knows of it yet: were the process to die, the next run would find out whose it is.
        place.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 2)
        place.close()
        place.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["feed"])
        #expect(try contents("feed") == "named")
        withExtendedLifetime(place) {}
    }
}
