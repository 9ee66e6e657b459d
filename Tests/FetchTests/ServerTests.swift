import Foundation
import SluiceFetch
import SluiceRecords
import TestSupport
import Testing

/// With a real server.
@Suite(.serialized) final class ServerTests {
    private let root: URL
    private let server: FileServer
    private let whole = feed(40_000)

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try Data(whole).write(to: root.appending(path: "feed.json"))
        server = try FileServer(root.path)
    }

    private var trusting: FetchSettings {
        var settings = quickSettings
        settings.authorities = server.authority
        return settings
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    @Test func certificatesAreVerified() {
        let outcome = download(WebRequest(url: "\(server.secureURL)/feed.json"))
        #expect(outcome.kind == .unavailable && outcome.message.contains("cannot be trusted"), "\(outcome.message)")
        #expect(download(WebRequest(url: "\(server.secureURL)/feed.json"), trusting, readSize: 1 << 18).page == whole)
        let other = server.secureURL.replacingOccurrences(of: "localhost", with: "127.0.0.1")
        #expect(download(WebRequest(url: "\(other)/feed.json"), trusting).kind == .unavailable)
    }

    /// Encrypted is never followed by not encrypted, by a redirect or a link of a page.
    @Test func encryptionIsNotGivenUp() throws {
        try Data(#"{"next":"\#(server.url)/feed.json"}"#.utf8).write(to: root.appending(path: "page.json"))
        var request = WebRequest(url: "\(server.secureURL)/page.json")
        request.pages = Paging(.next(try .parse("$.next")))
        let outcome = download(request, trusting)
        #expect(outcome.kind == .data && outcome.message.contains("is not encrypted"), "\(outcome.message)")
    }

    @Test func passwordIsAskedFor() {
        var request = WebRequest(url: "\(server.url)/private/feed.json")
        #expect(download(request).kind == .refused)
        request.auth = .basic(user: .text("reader"), password: .text("open sesame"))
        #expect(download(request).page == whole)
        request.auth = .basic(user: .text("reader"), password: .text("open barley"))
        #expect(download(request).kind == .refused)
        request.url = "\(server.url)/nowhere.json"
        #expect(download(request).kind == .missing)
    }

    @Test func unchangedFeedIsNotSentAgain() throws {
        let request = WebRequest(url: "\(server.url)/feed.json")
        let stream = WebFeed(request)
        #expect(try stream.hasNews())
        #expect(try bytes(of: #require(try stream.nextPage())) == whole)
        #expect(try stream.nextPage() == nil)
        let validators = try #require(stream.validators)
        #expect(validators.etag != nil && validators.lastModified != nil)
        #expect(try !WebFeed(request, conditions: validators).hasNews())
        try Data(feed(9)).write(to: root.appending(path: "feed.json"))
        let next = WebFeed(request, conditions: validators)
        #expect(try next.hasNews())
        #expect(try bytes(of: #require(try next.nextPage())) == feed(9))
    }
}
