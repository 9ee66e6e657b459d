import Foundation
import SluicePosix
import Synchronization
import Testing

@testable import Sluice
@testable import SluiceDefinition

@Suite struct ControlTests {
    @Test func timesAsPeopleWriteThem() {
        let times: [(String, Double?)] = [
            ("30s", 30), ("10m", 600), ("2h", 7200), ("1d", 86_400), ("500ms", 0.5), ("1h30m", 5400), ("1.5h", 5400),
            ("0s", 0), ("1d2h3m4s5ms", 93_784.005), ("", nil), ("5", nil), ("s", nil), ("5x", nil), ("1m1m", nil),
            ("1s1m", nil), ("-1s", nil), ("1 s", nil), ("1e2s", nil), ("infs", nil), ("1_0s", nil), ("٣s", nil),
            ("367d", nil), (".s", nil),
        ]
        for (text, seconds) in times { #expect(TimeSpan.seconds(text) == seconds, "\(text)") }
    }

    /// Whichever way leads to a file, its real path is one, whether the file is there or not.
    @Test func realPaths() throws {
        let files = FileManager.default
        let base = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
        try files.createDirectory(atPath: base + "/a/b", withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: base) }
        try files.createSymbolicLink(atPath: base + "/link", withDestinationPath: "a/b")
        try files.createSymbolicLink(atPath: base + "/file", withDestinationPath: "link/x")
        try files.createSymbolicLink(atPath: base + "/round", withDestinationPath: "round")
        let real = StorePath.real(base + "/a/b") + "/x"
        for isThere in [false, true] {
            if isThere { _ = files.createFile(atPath: base + "/a/b/x", contents: nil) }
            for path in ["/a/b/x", "/link/x", "/file", "/a/../link/./x", "/a//b/x", "/link/../b/x"] {
                #expect(StorePath.real(base + path) == real, "\(path)")
            }
        }
        #expect(StorePath.real("/no such folder/x") == "/no such folder/x")
        #expect(StorePath.real("/x") == "/x")
        #expect(StorePath.real(base + "/round").hasSuffix("round"))
    }

    @Test func theFirstSignalCounts() {
        let cancellation = Cancellation()
        #expect(cancellation.signal == nil)
        cancellation.request(signal: SIGTERM)
        cancellation.request(signal: SIGINT)
        #expect(cancellation.signal == SIGTERM)
        #expect(throws: (any Error).self) { try cancellation.check() }
    }

    /// However many want it, and however quickly it is given back: one at a time has the lock, and each gets it.
    @Test func oneAtATime() throws {
        let folder = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let holders = Atomic(0)
        let most = Atomic(0)
        let turns = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 6) { number in
            for _ in 0..<300 {
                var control = RunControl()
                control.patience = 60
                let holder = StoreLock.Holder(process: number, pipeline: "p", started: "")
                guard
                    let lock = try? StoreLock(
                        store: folder + "/store.sqlite", holder: holder, control: control, pause: 1)
                else { continue }
                most.max(holders.add(1, ordering: .sequentiallyConsistent).newValue, ordering: .sequentiallyConsistent)
                turns.add(1, ordering: .sequentiallyConsistent)
                usleep(100)
                holders.subtract(1, ordering: .sequentiallyConsistent)
                lock.release()
            }
        }
        #expect(most.load(ordering: .sequentiallyConsistent) == 1)
        #expect(turns.load(ordering: .sequentiallyConsistent) == 1800)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    /// Who holds a lock is read from any text without a crash, and from its own rightly.
    @Test func holdersComeBack() {
        for name in ["plain", "\"quoted\"", "two\nlines", "🚉"] {
            let holder = StoreLock.Holder(process: 12, pipeline: name, started: "2026-11-20T02:00:00Z")
            #expect(StoreLock.Holder(file: Array(holder.json.utf8)) == holder)
            for count in 0..<holder.json.utf8.count - 2 {
                #expect(StoreLock.Holder(file: Array(holder.json.utf8.prefix(count))) == nil)
            }
        }
    }
}
