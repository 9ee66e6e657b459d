import Foundation
import SluiceFetch
import SluicePosix
import SluiceRecords
import TestSupport
import Testing

/// Secrets reach the service, and nobody else.
struct AuthenticationTests {
    private let service = FaultyServer.shared.service(#"{"items":9}"#)

    private func headers(_ auth: Authentication) throws -> [String: String] {
        var request = service.request
        request.auth = auth
        #expect(download(request).page == feed(9))
        return try #require(service.requests.first).headers
    }

    @Test func bearer() throws {
        #expect(try headers(.bearer(.text("t0ken")))["authorization"] == "Bearer t0ken")
    }

    @Test func basic() throws {
        let headers = try headers(.basic(user: .text("Aladdin"), password: .text("open sesame")))
        #expect(headers["authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    }

    @Test func header() throws {
        #expect(try headers(.header(name: "X-Api-Key", value: .text("k")))["x-api-key"] == "k")
    }

    private func file(_ text: String, mode: Int) throws -> (path: String, folder: URL) {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "secret").path
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return (path, folder)
    }

    @Test(arguments: ["t0ken", "t0ken\n", "t0ken\r\n"])
    func secretMayBeInAFile(_ text: String) throws {
        let (path, folder) = try file(text, mode: 0o600)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try headers(.bearer(.file(path)))["authorization"] == "Bearer t0ken")
    }

    @Test(arguments: [(0o640, "t"), (0o604, "t"), (0o620, "t"), (0o600, ""), (0o600, "a\nb"), (0o600, "a\0b")])
    func unsafeFileIsRefused(_ mode: Int, _ text: String) throws {
        let (path, folder) = try file(text, mode: mode)
        defer { try? FileManager.default.removeItem(at: folder) }
        var request = service.request
        request.auth = .bearer(.file(path))
        let outcome = download(request)
        #expect(outcome.kind == .refused && outcome.message.contains(path), "\(outcome.message)")
        #expect(service.requests.isEmpty)
    }

    @Test func missingFileIsMissing() {
        var request = service.request
        request.auth = .bearer(.file("/nowhere/secret"))
        #expect(download(request).kind == .missing)
    }

    // MARK: OAuth 2

    private func oauth2(_ token: FaultyService, scope: String? = nil) -> Authentication {
        .oauth2(.init(tokenURL: token.url, clientID: .text("me:x"), clientSecret: .text("s/cret"), scope: scope))
    }

    @Test func tokenIsAskedForAndUsed() throws {
        let token = FaultyServer.shared.service(#"{"body":"{\"access_token\":\"abc\",\"expires_in\":3600}"}"#)
        #expect(try headers(oauth2(token, scope: "read all"))["authorization"] == "Bearer abc")
        let request = try #require(token.requests.first)
        #expect(request.method == "POST" && request.body == "grant_type=client_credentials&scope=read%20all")
        // me%3Ax:s%2Fcret
        #expect(request.headers["authorization"] == "Basic bWUlM0F4OnMlMkZjcmV0")
        #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
    }

    private func step(_ token: String, _ next: String) -> String {
        #"""
        {"unless":["authorization","Bearer \#(token)"],"status":401,"else":{"body":"{\"items\":[\"\#(token)\"],\"next\":\#(next)}"}}
        """#
    }

    /// A token that is refused though it was good before has expired: another is asked for.
    @Test func expiredTokenIsRenewed() throws {
        let token = FaultyServer.shared.service(
            #"{"body":"{\"access_token\":\"one\"}"}"#, #"{"body":"{\"access_token\":\"two\"}"}"#)
        let pages = FaultyServer.shared.service(
            step("one", #"\"?2\""#), step("two", #"\"?3\""#), step("two", #"\"?3\""#), step("two", "null"))
        var request = pages.request
        request.auth = oauth2(token)
        request.pages = Paging(.next(try .parse("$.next")))
        guard case .success(let all) = download(request) else {
            Issue.record("\(download(request).message)")
            return
        }
        #expect(all.count == 3)
        #expect(token.requests.count == 2)
    }

    /// A token of a program, or of a file, likewise: the program is started again.
    @Test(arguments: [false, true]) func refusedTokenOfAProgramIsAskedForAgain(isHeader: Bool) throws {
        let count = NSTemporaryDirectory() + "/sluice-token-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: count) }
        // With each start, the next of three.
        let words = ["one", "two", "three"].map { isHeader ? "'Bearer \($0)'" : $0 }
        let script =
            "set -- \(words.joined(separator: " ")); echo x >> \(count); shift $(($(wc -l < \(count)) - 1)); echo \"$1\""
        let secret = Secret.command(["sh", "-c", script], folder: "/")
        let pages = FaultyServer.shared.service(
            step("one", #"\"?2\""#), step("two", #"\"?3\""#), step("two", #"\"?3\""#), step("two", "null"))
        var request = pages.request
        request.auth = isHeader ? .header(name: "Authorization", value: secret) : .bearer(secret)
        request.pages = Paging(.next(try .parse("$.next")))
        #expect(try download(request).get().count == 3)
        #expect(
            pages.requests.map { $0.headers["authorization"] }
                == ["Bearer one", "Bearer one", "Bearer two", "Bearer two"])
    }

    /// One that was never good is not asked for a second time.
    @Test func refusedTokenOfAProgramEndsTheRun() throws {
        let refusing = FaultyServer.shared.service(#"{"status":401}"#)
        var request = refusing.request
        request.auth = .bearer(.command(["echo", "one"], folder: "/"))
        #expect(download(request).kind == .refused)
        #expect(refusing.requests.count == 1)
    }

    /// A token that is about to expire is not used any more.
    @Test func expiringTokenIsRenewedBeforeItIsRefused() throws {
        let token = FaultyServer.shared.service(
            #"{"body":"{\"access_token\":\"one\",\"expires_in\":5}"}"#,
            #"{"body":"{\"access_token\":\"two\",\"expires_in\":3600}"}"#)
        let pages = FaultyServer.shared.service(
            step("one", #"\"?2\""#), step("two", #"\"?3\""#), step("two", "null"))
        var request = pages.request
        request.auth = oauth2(token)
        request.pages = Paging(.next(try .parse("$.next")))
        #expect(try download(request).get().count == 3)
        #expect(pages.requests.map { $0.headers["authorization"] } == ["Bearer one", "Bearer two", "Bearer two"])
    }

    @Test func refusedTokenEndsTheRun() {
        let token = FaultyServer.shared.service(#"{"body":"{\"access_token\":\"one\"}"}"#)
        let refusing = FaultyServer.shared.service(#"{"status":401}"#)
        var request = refusing.request
        request.auth = oauth2(token)
        #expect(download(request).kind == .refused)
        #expect(refusing.requests.count == 1)
    }

    @Test(arguments: [
        (#"{"status":400,"body":"{\"error\":\"invalid_client s/cret\"}"}"#, Failure.Kind.refused),
        (#"{"status":401}"#, .refused), (#"{"status":500}"#, .unavailable), (#"{"body":"<html>"}"#, .unavailable),
        (#"{"body":"{}"}"#, .unavailable), (#"{"body":"{\"access_token\":\"a\\nb\"}"}"#, .unavailable),
        (#"{"status":302,"headers":[["Location","/elsewhere"]]}"#, .unavailable),
    ])
    func withoutATokenNothingIsAskedFor(_ step: String, _ kind: Failure.Kind) {
        let token = FaultyServer.shared.service(step)
        var request = service.request
        request.auth = oauth2(token)
        let outcome = download(request)
        #expect(outcome.kind == kind && !outcome.message.contains("s/cret"), "\(outcome.message)")
        #expect(service.requests.isEmpty)
    }

    // MARK: What is said

    /// A service that repeats what it was sent tells nobody.
    @Test(arguments: [401, 404, 422])
    func secretsAreNotShown(_ status: Int) {
        let words = "t0p s3cret t0p%20s3cret dDBwIHMzY3JldA== key-k3y query-v4lue"
        let service = FaultyServer.shared.service(#"{"status":\#(status),"body":"\#(words)"}"#)
        var request = service.request
        request.auth = .bearer(.text("t0p s3cret"))
        request.headers = [.init("X-Key", .text("key-k3y-12"))]
        request.query = [.init("q", .text("query-v4lue"))]
        service.post(#"[{"status":\#(status),"body":"\#(words)-12"}]"#)
        let message = download(request).message
        #expect(message.contains("status \(status): *** *** ***"), "\(message)")
        for secret in ["s3cret", "dDBw", "v4lue"] { #expect(!message.contains(secret)) }
    }

    /// A refusal is cut, and its text is that of JSON: neither leaves a half of a secret.
    @Test func secretsAreNotShownWhereARefusalIsCut() {
        let secret = #"k"e\y/"# + String(repeating: "0123456789", count: 5)
        for distance in [140, 170, 190] {
            let inner = JSONText.quoted(String(repeating: "x", count: distance) + secret)
            let body = JSONText.quoted("{\"no\":\(inner)}")
            let service = FaultyServer.shared.service(#"{"status":401,"body":\#(body)}"#)
            var request = service.request
            request.auth = .bearer(.text(secret))
            let message = download(request).message
            #expect(message.contains("***") && !message.contains("01234"), "\(message)")
        }
    }

    @Test func valuesDescribeThemselvesAsNothing() {
        let auth = Authentication.basic(user: .text("u53r"), password: .text("pa55"))
        var text = ""
        dump(auth, to: &text)
        #expect(!"\(auth)".contains("pa55") && !text.contains("\"pa55\"") || text.contains("***"))
    }

    @Test(arguments: ["http://u:p@127.0.0.1/x", "ftp://127.0.0.1/", "nonsense", "http://a b/", "http://a/\n"])
    func badAddressIsRefused(_ url: String) {
        let outcome = download(WebRequest(url: url))
        #expect(outcome.kind == .definition && !outcome.message.contains("u:p"), "\(outcome.message)")
    }
}
