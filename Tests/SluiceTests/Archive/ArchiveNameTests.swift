import SluiceDefinition
import Testing

@testable import Sluice

/// The names of saved feeds.
struct ArchiveNameTests {
    private func input(_ name: String, _ file: String) -> FeedInput {
        FeedInput(source: Source(name: name, location: .file(file)), location: file, files: [file])
    }

    @Test func sayWhatTheyAre() {
        let names = ArchiveNames(pipeline: "transit", started: "2026-11-20T02:00:00Z")
        #expect(
            names.name(by: .run(12), input("main", "a.json"), file: 0)
                == "transit.20261120T020000Z.run12.main.1.json.zst")
        #expect(
            names.name(by: .run(12), input("b", "a.jsonl.gz"), file: 9, copy: 2)
                == "transit.20261120T020000Z.run12-2.b.10.ndjson.zst")
        #expect(names.name(by: .unrecorded, input("main", "a.json"), file: 0) == "transit.unrecorded.main.1.json.zst")
    }

    /// Whatever a pipeline and its sources are called, a name is one of a file, and is known again.
    @Test(arguments: ["x", "../..", "", ".", "a b/c", "ü😀", "a.b.c", String(repeating: "long", count: 200)])
    func areNamesOfFiles(_ odd: String) {
        let names = ArchiveNames(pipeline: odd, started: "2026-11-20T02:00:00Z")
        for run in [1, nil] {
            let name = names.name(by: run.map { .run($0) } ?? .unrecorded, input(odd, "a.json"), file: 0)
            #expect(name.utf8.count < 256)
            #expect(!name.contains("/"))
            #expect(names.isOwn(name) == (run != nil))
        }
    }

    @Test(arguments: [
        "mine.zst", "transit.20261120T020000Z.run1.main.1.json", "other.20261120T020000Z.run1.main.1.json.zst",
        "transit.20261120T020000Z.main.1.json.zst", "transit.20261120T020000Z.run1.main.1.json.zst.zst",
        "transit.20261120T020000Z.run1./etc/x.1.json.zst", "transit.unrecorded.main.1.json.zst",
    ])
    func othersAreNotOwn(_ name: String) {
        #expect(!ArchiveNames(pipeline: "transit", started: "2026-11-20T02:00:00Z").isOwn(name))
    }
}
