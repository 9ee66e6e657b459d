import Foundation
import Glibc
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceExtract

/// Records are had again by their offsets: every value of a feed, scalars and what lies within others included, in any
/// order, from files, compressed ones and pipes.
@Suite struct RecordFetcherTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func write(_ bytes: [UInt8], _ name: String = "feed") throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    private func compress(_ file: String, _ tool: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = tool == "zip" ? ["zip", "-q", "-j", file + ".zip", file] : [tool, "-k", "-q", file]
        try process.run()
        process.waitForEnd()
        #expect(process.terminationStatus == 0)
    }

    /// Reads a file to its end, as a run does.
    private func read(_ path: String, _ copies: FeedCopies, file: Int = 0) throws {
        let source = try copies.open(path, source: 0, file: file)
        var buffer = [UInt8](repeating: 0, count: 1000)
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(Failure) in try unsafe source.read(into: bytes) }
            }
            if try outcome.get() == 0 { return }
        }
    }

    private func place(_ offset: Int, file: Int = 0) -> RecordPositionKey {
        RecordPositionKey(source: 0, file: file, offset: UInt64(offset))
    }

    private func fetch(_ places: [RecordPositionKey], _ fetcher: RecordFetcher) throws -> [RecordText?] {
        var found = [RecordText?](repeating: nil, count: places.count)
        var calls = [Int](repeating: 0, count: places.count)
        try fetcher.fetch(places) { index, text in
            found[index] = text
            calls[index] += 1
        }
        #expect(calls.allSatisfy { $0 == 1 })
        return found
    }

    private func nodes(_ node: Node) -> [Node] { [node] + node.children.flatMap { nodes($0.node) } }

    /// Some places of a feed several times, in some order, in several calls: each record is what a naive parser finds.
    private func check(_ feed: [UInt8], _ copies: FeedCopies, seed: UInt64) throws {
        var random = FeedGenerator(seed: seed)
        var all = ReferenceParser.values(of: feed).flatMap(nodes).shuffled(using: &random)
        all += all.prefix(5)
        let fetcher = RecordFetcher(copies)
        while !all.isEmpty {
            let some = Array(all.prefix(Int.random(in: 1...50, using: &random)))
            all.removeFirst(some.count)
            #expect(try fetch(some.map { place($0.start) }, fetcher) == some.map { .whole($0.json) })
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func everyValueOfAnyFeed(seed: UInt64) throws {
        var generator = FeedGenerator(seed: seed)
        let feed = generator.feed(values: 20)
        let copies = FeedCopies(copiesPipes: false)
        try read(write(feed), copies)
        try check(feed, copies, seed: seed)
    }

    /// A long feed, and where each of its values begins.
    private static let longFeed = {
        var generator = FeedGenerator(seed: 7)
        let feed = generator.feed(values: 2000)
        return (feed, ReferenceParser.values(of: feed).map { ($0.start, $0.json) })
    }()

    /// Feeds larger than what is read at once, so that records lie across its borders.
    @Test(arguments: ["", "gzip", "zstd", "xz", "bzip2", "zip"])
    func compressionMakesNoDifference(tool: String) throws {
        let (feed, values) = Self.longFeed
        #expect(feed.count > 200_000)
        var file = try write(feed)
        let endings = ["gzip": ".gz", "zstd": ".zst", "xz": ".xz", "bzip2": ".bz2", "zip": ".zip"]
        if let ending = endings[tool] {
            try compress(file, tool)
            file += ending
        }
        let copies = FeedCopies(copiesPipes: false)
        try read(file, copies)
        var generator = FeedGenerator(seed: 8)
        let starts = values.shuffled(using: &generator)
        let fetcher = RecordFetcher(copies)
        for part in [starts.prefix(900), starts.dropFirst(900)] {
            #expect(try fetch(part.map { place($0.0) }, fetcher) == part.map { .whole($0.1) })
        }
    }

    private func pipe(_ feed: [UInt8]) -> String {
        let pipe = path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let writer = Thread { try? Data(feed).write(to: URL(fileURLWithPath: pipe), options: []) }
        writer.start()
        return pipe
    }

    @Test func aPipeIsCopied() throws {
        var generator = FeedGenerator(seed: 3)
        let feed = generator.feed(values: 300)
        let copies = FeedCopies(copiesPipes: true)
        try read(pipe(feed), copies)
        try check(feed, copies, seed: 3)
    }

    @Test func whatCannotBeHadAgainIsMissing() throws {
        let copies = FeedCopies(copiesPipes: false)
        try read(pipe(Array("[1]".utf8)), copies)
        #expect(try fetch([place(0)], RecordFetcher(copies)) == [nil])
        let (changed, gone) = try (write(Array("[1]".utf8), "changed"), write(Array("[1]".utf8), "gone"))
        try read(changed, copies, file: 1)
        try read(gone, copies, file: 2)
        _ = try write(Array("[1, 2]".utf8), "changed")
        try FileManager.default.removeItem(atPath: gone)
        #expect(try fetch([place(0, file: 1), place(0, file: 2)], RecordFetcher(copies)) == [nil, nil])
    }

    /// Beyond the end, and in a feed that is cut short, there is nothing; what was before is there.
    @Test func aFeedThatEndsTooEarly() throws {
        let copies = FeedCopies(copiesPipes: false)
        try read(write(Array(#"[{"a": 1}, {"b": "#.utf8)), copies)
        #expect(
            try fetch([place(1), place(11), place(99)], RecordFetcher(copies)) == [.whole(#"{"a":1}"#), nil, nil])
    }

    /// The limit holds for what is left without white space; records within a record that is too long are whole.
    @Test(arguments: [-1, 0, 1, 2, 1_000_000])
    func aLongRecord(beyond: Int) throws {
        let limit = RecordText.limit
        let inner = #"{"b":[1,"x"]}"#
        let frame = #"{"a":"","c":}"#.count + inner.count
        let long = String(repeating: "x", count: limit + beyond - frame)
        let spaces = String(repeating: " \n", count: 50_000)
        let record = "{\(spaces)\"a\": \"\(long)\",\(spaces)\"c\":{ \"b\" : [ 1, \"x\" ] }}"
        let feed = "[7, \(record)\(spaces), \(record)]"
        let copies = FeedCopies(copiesPipes: false)
        try read(write(Array(feed.utf8)), copies)
        let bytes = feed.utf8
        func offset(_ text: Substring) -> Int { bytes.distance(from: bytes.startIndex, to: text.startIndex) }
        let starts = feed.ranges(of: "{\(spaces)").map { offset(feed[$0]) }
        let inners = feed.ranges(of: "{ \"b\"").map { offset(feed[$0]) }
        let whole = RecordText.whole("{\"a\":\"\(long)\",\"c\":\(inner)}")
        let expected = beyond > 0 ? .tooLong(UInt64(limit + beyond)) : whole
        let found = try fetch((starts + inners).map { place($0) }, RecordFetcher(copies))
        #expect(found == [expected, expected, .whole(inner), .whole(inner)])
    }

    /// Two entities may reject the same record.
    @Test func aPlaceThatIsWantedTwice() throws {
        let copies = FeedCopies(copiesPipes: false)
        try read(write(Array("\u{FEFF}[12 , 13]".utf8)), copies)
        #expect(
            try fetch([place(4), place(4), place(9), place(3)], RecordFetcher(copies)) == [
                .whole("12"), .whole("12"), .whole("13"), .whole("[12,13]"),
            ])
    }
}
