import Foundation
import SluiceFetch
import SluicePosix
import SluiceRecords
import Synchronization
import TestSupport
import Testing

/// Objects that are written to a service that speaks S3, and verifies signatures and digests.
@Suite struct ObjectFolderTests {
    private let service: ObjectService
    private let stop = Wish()
    private var settings = quickSettings

    init() throws {
        service = try ObjectService()
        settings.variables = [
            ExactText("AWS_ENDPOINT_URL_S3"): service.url, ExactText("AWS_ACCESS_KEY_ID"): "account:user",
            ExactText("AWS_SECRET_ACCESS_KEY"): "secret/+key",
            ExactText("AWS_EC2_METADATA_DISABLED"): "true", ExactText("HOME"): "/nowhere",
        ]
        settings.partSize = 1000
        try service.offer(["buckets": ["feeds": [:]]])
    }

    private func folder(_ text: String = "s3://feeds/nightly/") throws -> ObjectFolder {
        try ObjectFolder(text, FetchSession(settings, isStopped: { [stop] in stop.value }))
    }

    /// What is written at once, or in parts.
    enum Content: CaseIterable {
        case small, large

        var bytes: [UInt8] {
            switch self {
            case .small: Array("a few bytes".utf8)
            case .large: (0..<3456).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            }
        }
    }

    private static let large = Content.large.bytes

    private func object(_ key: String) throws -> [UInt8]? { try service.state.objects["feeds"]?[key].map(Array.init) }

    private func failure(_ body: () throws -> Bool) -> Failure? {
        do { _ = try body() } catch { return error as? Failure }
        return nil
    }

    // MARK: What is written

    @Test(arguments: ["1.json", "a b+c/ü&<>'\".json", "%41?y=1&z.zst", "x/../y//z", "~-_.!*()'$@,;:=", "日本/\u{1F600}"])
    func bothSizes(name: String) throws {
        for content in [Content.small.bytes, Content.large.bytes, []] {
            #expect(try folder().write(content, to: name))
            #expect(try object("nightly/\(name)") == content)
            #expect(try folder().bytes(name, most: 1 << 20)?.bytes == content)
            let file = try TemporaryFile()
            try unsafe content.withUnsafeBytes { try unsafe file.append($0) }
            try folder().write(file: file.descriptor, size: UInt64(content.count), to: name)
            #expect(try object("nightly/\(name)") == content)
        }
        #expect(try service.names.uploads.isEmpty)
        #expect(try service.state.headers["feeds/nightly/\(name)"]?["Content-Type"]?.isEmpty == false)
        let sizes = try service.requests.compactMap(\.size)
        #expect(sizes.count { $0 == 1000 } == 6 && sizes.allSatisfy { $0 <= 1000 })
    }

    @Test func whatIsThere() throws {
        let folder = try folder("s3://feeds")
        #expect(try folder.entries().isEmpty)
        #expect(try folder.bytes("a", most: 10) == nil)
        for name in ["b", "a", "below/c"] { try folder.write([1, 2], to: name) }
        #expect(try folder.entries().map(\.name) == ["a", "b"])
        #expect(try folder.entries("b").map(\.size) == [2])
        #expect(failure { try folder.bytes("a", most: 1) == nil }?.kind == .data)
        try folder.remove("a")
        try folder.remove("a")
        #expect(try folder.entries().map(\.name) == ["b"])
        #expect(folder.location(of: "b") == "s3://feeds/b")
        for text in ["s3://feeds/*", "s3://", "s3://f", "s3:///x"] {
            let failure = failure { try ObjectFolder(text, FetchSession(settings)).entries().isEmpty }
            #expect(failure?.kind == .usage, "\(text)")
        }
    }

    // MARK: Conditions

    @Test(arguments: Content.allCases) func conditions(of kind: Content) throws {
        let content = kind.bytes
        let folder = try folder()
        #expect(try folder.write(content, to: "x", if: .absent))
        #expect(try !folder.write([7], to: "x", if: .absent))
        #expect(try !folder.write(content + content, to: "x", if: .absent))
        #expect(try object("nightly/x") == content)
        let etag = try #require(try folder.bytes("x", most: 1 << 20)).etag
        #expect(try folder.write(content + [1], to: "x", if: .unchanged(etag)))
        #expect(try !folder.write(content + [2], to: "x", if: .unchanged(etag)))
        #expect(try object("nightly/x") == content + [1])
        #expect(try service.names.uploads.isEmpty)
    }

    /// Services that know no conditions write all the same.
    @Test(arguments: Content.allCases) func withoutConditions(of kind: Content) throws {
        let content = kind.bytes
        try service.offer(["buckets": ["feeds": ["nightly/x": "old"]], "conditional": false])
        #expect(try folder().write(content, to: "x", if: .absent))
        #expect(try object("nightly/x") == content)
    }

    // MARK: What goes wrong

    /// A request that was done, and not answered, is not taken for somebody else's.
    @Test(arguments: Content.allCases) func lostAnswers(of kind: Content) throws {
        let content = kind.bytes
        let lost = ["PUT nightly/x", "POST nightly/x", "POST nightly/x"]
        try service.offer(["buckets": ["feeds": [:]], "lost": lost, "fails": [503, 500]])
        #expect(try folder().write(content, to: "x", if: .absent))
        #expect(try object("nightly/x") == content)
        #expect(try service.names.uploads.isEmpty)
    }

    @Test func nothingHalfDoneStays() throws {
        let folder = try folder()
        try service.offer(["buckets": ["feeds": [:]], "broken": true])
        let broken = failure { try folder.write(ObjectFolderTests.large, to: "x") }
        #expect(broken?.kind == .unavailable && broken?.message.contains("InternalError") == true, "\(broken as Any)")
        #expect(try service.names.uploads.isEmpty)
        // What is to be written cannot be read to its end.
        try service.offer(["buckets": ["feeds": [:]]])
        let file = try TemporaryFile(holding: "x")
        #expect(failure { try folder.write(file: file.descriptor, size: 3000, to: "x") }?.kind == .io)
        #expect(try service.names.uploads.isEmpty)
        #expect(try object("nightly/x") == nil)
        try service.offer(["buckets": [:]])
        #expect(failure { try folder.write([1], to: "x") }?.kind == .missing)
        try service.offer(["buckets": ["feeds": [:]], "keys": ["account:user", "another", NSNull()]])
        #expect(failure { try folder.write([1], to: "x") }?.kind == .refused)
    }

    /// A run that is to stop waits for no service.
    @Test func itStops() throws {
        try service.offer(["buckets": ["feeds": [:]], "fails": Array(repeating: 503, count: 1000)])
        var slow = settings
        (slow.backoff, slow.longestBackoff) = (1000, 1000)
        let folder = try ObjectFolder("s3://feeds/x", FetchSession(slow, isStopped: { [stop] in stop.value }))
        let start = Date()
        Thread.detachNewThread { [stop] in
            Thread.sleep(forTimeInterval: 0.3)
            stop.value = true
        }
        #expect(failure { try folder.write([1], to: "x") }?.kind == .cancelled)
        #expect(Date().timeIntervalSince(start) < 100)
        // Between two parts.
        try service.offer(["buckets": ["feeds": [:]]])
        stop.value = false
        let parted = try self.folder()
        let file = try TemporaryFile()
        try unsafe ObjectFolderTests.large.withUnsafeBytes { try unsafe file.append($0) }
        try service.offer(["buckets": ["feeds": [:]], "slow": ["PUT nightly/x": 0.5]])
        Thread.detachNewThread { [service, stop] in
            while (try? service.names.uploads.isEmpty) != false { Thread.sleep(forTimeInterval: 0.01) }
            stop.value = true
        }
        #expect(failure { try parted.write(file: file.descriptor, size: 3456, to: "x") }?.kind == .cancelled)
        #expect(try service.names.uploads.isEmpty)
    }

    @Test func whatOthersLeftIsEnded() throws {
        try service.offer(["buckets": ["feeds": [:]], "begun": ["nightly/a.1", "nightly/a.2", "nightly/b", "c"]])
        try folder().abortUploads("a") { $0 == "a.1" }
        #expect(try service.names.uploads.sorted() == ["c", "nightly/a.2", "nightly/b"])
    }
}

/// Whether somebody wants to stop.
private final class Wish: Sendable {
    private let wish = Mutex(false)

    var value: Bool {
        get { wish.withLock { $0 } }
        set { wish.withLock { $0 = newValue } }
    }
}
