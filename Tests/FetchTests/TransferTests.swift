import Foundation
import SluiceFetch
import SluiceRecords
import TestSupport
import Testing

/// Whatever happens on the way, every byte arrives once.
struct TransferTests {
    private let whole = feed(3000)

    @Test(arguments: ["", #","encoding":"gzip""#, #","encoding":"deflate""#, #","chunked":true"#, #","unframed":true"#])
    func feedArrivesAsItIs(_ framing: String) {
        let service = FaultyServer.shared.service(#"{"items":3000\#(framing)}"#)
        #expect(download(service.request).page == whole)
    }

    @Test func oneByteChunksArrive() {
        let service = FaultyServer.shared.service(#"{"items":20,"chunked":true,"piece":1}"#)
        #expect(download(service.request).page == feed(20))
    }

    /// The reader and the ring may be of any size.
    @Test(arguments: [1, 7, 1000, 1 << 20], [1, 13, 4096])
    func anyBufferDoes(_ size: Int, _ readSize: Int) {
        var settings = quickSettings
        settings.bufferSize = size
        let service = FaultyServer.shared.service(#"{"items":300,"encoding":"gzip"}"#)
        #expect(download(service.request, settings, readSize: readSize).page == feed(300))
    }

    /// Breaks at random bytes, with each kind of validator, with and without ranges.
    @Test(
        arguments: ["", #","encoding":"gzip""#, #","encoding":"gzip","always":true"#, #","chunked":true"#],
        [true, false])
    func brokenDownloadsGoOn(_ framing: String, _ range: Bool) {
        let validators = [
            #"[["ETag","\"a1\""]]"#, #"[["ETag","W/\"a1\""]]"#, "[]",
            #"[["Last-Modified","Sun, 01 Nov 2026 10:00:00 GMT"]]"#,
        ]
        for headers in validators {
            // Each break is behind the one before, so there is progress even where all must come again.
            var cuts = (0..<8).map { _ in Int.random(in: 1..<whole.count) }.sorted()
            if framing.contains("gzip") { cuts = cuts.map { $0 / 20 } }
            let steps = cuts.map { #"{"items":3000\#(framing),"range":\#(range),"headers":\#(headers),"cut":\#($0)}"# }
            let last = #"{"items":3000\#(framing),"range":\#(range),"headers":\#(headers)}"#
            var request = FaultyServer.shared.service(steps + [last]).request
            request.retries = 8
            #expect(download(request).page == whole, "\(headers) \(cuts)")
        }
    }

    /// With ranges there is progress in each try, however small: failures in a row do not add up.
    @Test func progressForgivesFailures() {
        let part = #"{"items":3000,"range":true,"headers":[["ETag","\"a\""]],"cut":2000}"#
        let service = FaultyServer.shared.service(part)
        var request = service.request
        request.retries = 1
        #expect(download(request).page == whole)
        #expect(service.requests.count > whole.count / 2000)
    }

    @Test func onlyTheRestIsAskedForAgain() {
        let service = FaultyServer.shared.service(
            #"{"items":3000,"range":true,"headers":[["ETag","\"a\""]],"cut":50000}"#,
            #"{"items":3000,"range":true,"headers":[["ETag","\"a\""]]}"#)
        #expect(download(service.request).page == whole)
        let requests = service.requests
        #expect(requests.map { $0.headers["range"] } == [nil, "bytes=50000-"])
        #expect(requests.map { $0.headers["if-range"] } == [nil, "\"a\""])
    }

    /// A feed that has changed meanwhile is no continuation of what it was.
    @Test(arguments: [true, false])
    func changedFeedIsRefused(_ range: Bool) {
        let service = FaultyServer.shared.service(
            #"{"items":3000,"range":\#(range),"headers":[["ETag","\"a\""]],"cut":50000}"#,
            #"{"items":2900,"first":9,"range":\#(range),"headers":[["ETag","\"b\""]]}"#)
        let outcome = download(service.request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.contains("changed while it was downloaded"))
    }

    /// The beginning that was loaded is that of the new feed, too.
    @Test func grownFeedGoesOn() {
        let service = FaultyServer.shared.service(
            #"{"body":"[1, 2, 3]","headers":[["ETag","\"a\""]],"cut":5}"#,
            #"{"body":"[1, 2, 3, 4, 5]","headers":[["ETag","\"b\""]]}"#)
        #expect(download(service.request).page == Array("[1, 2, 3, 4, 5]".utf8))
    }

    @Test(arguments: [
        #"{"items":3000,"status":206,"headers":[["Content-Range","bytes 7-99/100"]]}"#, #"{"status":416}"#,
        #"{"items":3000,"status":206}"#,
    ])
    func uselessPartIsNotTaken(_ answer: String) {
        let service = FaultyServer.shared.service(
            #"{"items":3000,"headers":[["ETag","\"a\""]],"cut":50000}"#, answer, #"{"items":3000}"#)
        #expect(download(service.request).page == whole)
    }

    /// A part that fits, of nobody knows which version.
    @Test func partWithoutAVersionIsNotTaken() {
        let range = "bytes 50000-\(whole.count - 1)/\(whole.count)"
        let part = #"{"items":3000,"first":7,"status":206,"headers":[["Content-Range","\#(range)"]]}"#
        let service = FaultyServer.shared.service(
            #"{"items":3000,"headers":[["ETag","\"a\""]],"cut":50000}"#, part, #"{"items":3000}"#)
        #expect(download(service.request).page == whole)
    }

    @Test func truncatedFeedIsNotTaken() {
        var request = FaultyServer.shared.service(#"{"items":30,"length":100000,"cut":99999}"#).request
        request.retries = 2
        let outcome = download(request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.contains("broke off") && outcome.message.contains("tried 3 times"))
    }

    /// Memory does not grow: what is not read is not taken from the network either.
    @Test func downloadWaitsForTheReader() throws {
        var settings = quickSettings
        settings.bufferSize = 4096
        let service = FaultyServer.shared.service(#"{"endless":"body","unframed":true}"#)
        let stream = WebFeed(service.request, FetchSession(settings))
        let page = try #require(try stream.nextPage())
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<100 {
            let count = unsafe try buffer.withUnsafeMutableBytes { try unsafe page.read(into: $0) }
            #expect(count > 0 && count <= 4096)
        }
        stream.stop()
    }

    @Test(arguments: ["gzip", "zstd", "xz", "bzip2"])
    func compressedFilesAreReadAsLocalOnesAre(_ tool: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(whole).write(to: folder.appending(path: "feed.json"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sh", "-c", "\(tool) -c feed.json > feed.packed"]
        process.currentDirectoryURL = folder
        try process.run()
        process.waitForEnd()
        let server = try FileServer(folder.path)
        var request = WebRequest(url: "\(server.url)/feed.packed")
        #expect(download(request).page == whole)
        // A small file may be a large feed.
        request.maxBytes = UInt64(whole.count)
        #expect(download(request).page == whole)
        request.maxBytes -= 1
        #expect(download(request).kind == .data)
    }
}
