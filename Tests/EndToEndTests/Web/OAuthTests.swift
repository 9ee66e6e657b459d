import Foundation
import TestSupport
import Testing

/// Tokens as services give them: by refresh tokens, by a login, by signatures.
@Suite struct OAuthTests {
    private let service: OAuthService
    private let scene: WebScene

    init() throws {
        service = try OAuthService()
        scene = try WebScene(#""url": "http://127.0.0.1:1/""#)
        scene.environment["XDG_STATE_HOME"] = scene.folder.file("state")
    }

    /// A feed of three pages, and one that is empty.
    private func define(_ oauth: String) throws {
        try scene.define(
            """
            "url": "\(service.url)/feed", "pages": { "number": "page" }, "retries": 2,
            "auth": { "oauth2": { "tokenUrl": "\(service.url)/token", "clientId": "sluice", \(oauth) } }
            """)
    }

    private var tokenFiles: [String] {
        let folder = scene.folder.file("state/sluice")
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }
    }

    private func tokenFile() throws -> String {
        scene.folder.file("state/sluice/\(try #require(tokenFiles.first))")
    }

    private func login(_ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(["login", scene.definition] + more, environment: scene.environment)
    }

    // MARK: Refresh tokens

    @Test func theNextRefreshTokenIsKept() throws {
        try service.offer(["refresh": "first-refresh", "uses": 2])
        try define(#""refreshToken": "first-refresh""#)
        for night in 0..<3 {
            // A token is good for two pages: it is renewed during the run.
            let outcome = try night == 1 ? scene.run("--force", "--dry-run") : scene.run("--force")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.count("Item", "records") == 3)
            #expect(!outcome.output.contains("refresh-"))
        }
        let used = try service.forms.map { $0["refresh_token"] }
        #expect(used == ["first-refresh"] + (1..<6).map { "refresh-\($0)" })
        #expect(try service.forms.allSatisfy { $0["client_id"] == "sluice" && $0["client_secret"] == nil })
        let attributes = try FileManager.default.attributesOfItem(atPath: tokenFile())
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(tokenFiles.count == 1)
    }

    @Test func oneThatStaysIsNotKept() throws {
        try service.offer(["refresh": "first-refresh", "gives": false, "secret": "s"])
        try define(#""refreshToken": "first-refresh", "clientSecret": "s", "scope": "read""#)
        #expect(try scene.run().status == 0)
        #expect(try scene.run("--force").status == 0)
        #expect(try service.forms.map { $0["refresh_token"] } == ["first-refresh", "first-refresh"])
        #expect(try service.forms.allSatisfy { $0["scope"] == "read" })
        #expect(tokenFiles.isEmpty)
    }

    /// What the service takes back is told; another token in the definition is taken then.
    @Test func anotherOneInTheDefinition() throws {
        try service.offer(["refresh": "first-refresh"])
        try define(#""refreshToken": "first-refresh""#)
        #expect(try scene.run().status == 0)
        try service.offer(["refresh": "second-refresh"])
        let refused = try scene.run("--force")
        #expect(refused.status == 77 && refused.errors.contains("put another into the definition"), "\(refused.errors)")
        #expect(!refused.errors.contains("refresh-1") && !refused.errors.contains("first-refresh"))
        try service.offer(["refresh": "second-refresh"])
        try define(#""refreshToken": "second-refresh""#)
        #expect(try scene.run("--force").status == 0)
        #expect(try scene.run("--force").status == 0)
    }

    /// A token service that fails is asked again, and a token file that others can read is refused.
    @Test func whatFails() throws {
        try service.offer(["refresh": "first-refresh", "fails": 2])
        try define(#""refreshToken": "first-refresh""#)
        #expect(try scene.run().status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: tokenFile())
        let refused = try scene.run("--force")
        #expect(refused.status == 77 && refused.errors.contains("chmod 600"), "\(refused.errors)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: tokenFile())
        #expect(try scene.run("--force").status == 0)
        let none = try Sluice.run(
            ["run", scene.definition, "--force"],
            environment: ["XDG_STATE_HOME": "", "HOME": "", "STATE_DIRECTORY": ""])
        #expect(none.status == 73 && none.errors.contains("set HOME"), "\(none.errors)")
    }

    /// Runs of several pipelines use one refresh token, each of which is good once.
    @Test func severalRunsAtOnce() throws {
        try service.offer(["refresh": "first-refresh"])
        try define(#""refreshToken": "first-refresh""#)
        let runs = try (0..<6).map { number in
            try RunningSluice(
                ["run", scene.definition, "--store", scene.folder.file("\(number).sqlite")],
                environment: scene.environment)
        }
        for run in runs { #expect(run.ended().status == 0, "\(run.errors)") }
        #expect(try Set(service.forms.map { $0["refresh_token"] }).count == 6)
    }

    // MARK: Login

    @Test func somebodyLogsIn() throws {
        try service.offer(["answers": ["authorization_pending", "slow_down", "authorization_pending"], "secret": "s"])
        try define(#""deviceUrl": "\#(service.url)/device", "clientSecret": "s", "scope": "read""#)
        let before = try scene.run()
        #expect(before.status == 77 && before.errors.contains("sluice login"), "\(before.errors)")
        let outcome = try login()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("Open https://login.example.org/device and enter the code ABCD-EFGH\n"))
        #expect(outcome.output.contains("or open https://login.example.org/device?code=ABCD-EFGH\n"))
        let file = try tokenFile()
        #expect(outcome.output.contains("Logged in. The token is kept in \(file)\n"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        for _ in 0..<2 { #expect(try scene.run("--force").status == 0) }
        try service.offer(["secret": "s"])
        let refused = try scene.run("--force")
        #expect(refused.status == 77 && refused.errors.contains("log in again"), "\(refused.errors)")
    }

    /// As with services whose tokens have no end, or a far one, and are not refreshed.
    @Test func aTokenWithoutARefreshToken() throws {
        try service.offer(["gives": false, "lifetime": 0])
        try define(#""deviceUrl": "\#(service.url)/device""#)
        #expect(try login("--source", "main").status == 0)
        for _ in 0..<2 { #expect(try scene.run("--force").status == 0) }
        #expect(try service.forms.count == 2)
        try service.offer(["gives": false, "lifetime": 1])
        #expect(try login().status == 0)
        let text = try String(contentsOfFile: tokenFile(), encoding: .utf8)
        let past = text.replacing(/"end": [0-9.]+/, with: "\"end\": 1000")
        #expect(past != text)
        try past.write(toFile: tokenFile(), atomically: false, encoding: .utf8)
        let ended = try scene.run("--force")
        #expect(ended.status == 77 && ended.errors.contains("has ended: log in again"), "\(ended.errors)")
    }

    @Test(arguments: [("access_denied", "denied"), ("expired_token", "in time"), ("invalid_grant", "invalid_grant")])
    func aLoginThatIsRefused(answer: String, message: String) throws {
        try service.offer(["answers": ["authorization_pending", answer]])
        try define(#""deviceUrl": "\#(service.url)/device""#)
        let outcome = try login()
        #expect(outcome.status == 77 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(tokenFiles.isEmpty)
    }

    @Test func whoCannotLogIn() throws {
        try define(#""clientSecret": "s""#)
        #expect(try login().status == 64)
        #expect(try login("--source", "other").errors.contains("there is no source other; there is main"))
    }

    // MARK: Signatures

    /// A key as openssl makes it; its public half.
    private func key(_ words: [String]) throws -> String {
        let path = scene.folder.file("key.pem")
        _ = try Shell.output(["openssl", "genpkey", "-out", path, "-quiet"] + words)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return String(decoding: try Shell.output(["openssl", "pkey", "-in", path, "-pubout"]), as: UTF8.self)
    }

    @Test(arguments: [
        ("RS256", ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]),
        ("ES256", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]),
        ("ES384", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]),
        ("EdDSA", ["-algorithm", "ED25519"]),
    ])
    func aKeySigns(algorithm: String, words: [String]) throws {
        let publicKey = try key(words)
        let claims = ["iss": "sluice", "sub": "sluice", "aud": "\(service.url)/token"]
        try service.offer(["key": publicKey, "algorithm": algorithm, "claims": claims, "uses": 1, "fails": 1])
        try define(#""privateKey": { "file": "key.pem" }"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        // The one that failed, one for each page; none is sent twice.
        #expect(try service.forms.count == 5)
        let forms = try service.forms
        #expect(Set(forms.map { $0["client_assertion"] }).count == 5)
        #expect(forms.allSatisfy { $0["grant_type"] == "client_credentials" })
        let other: [String: String] = ["iss": "sluice", "aud": "me", "sub": "me@x.org", "scope": "a b", "kid": "7"]
        try service.offer(["key": publicKey, "algorithm": algorithm, "claims": other])
        try define(
            #""privateKey": { "file": "key.pem" }, "assertion": true, "audience": "me", "keyId": "7", "scope": "a b", "subject": "me@x.org""#
        )
        #expect(try scene.run("--force").status == 0)
        #expect(try service.forms.map { $0["scope"] } == ["a b"])
        try service.offer(["key": publicKey, "algorithm": algorithm, "claims": ["aud": "you"]])
        #expect(try scene.run("--force").status == 77)
    }

    @Test func keysThatAreNone() throws {
        try define(#""privateKey": { "file": "key.pem" }"#)
        _ = try key(["-algorithm", "X25519"])
        let other = try scene.run()
        #expect(other.status == 77 && other.errors.contains("of another kind than RSA"), "\(other.errors)")
        try "no key".write(toFile: scene.folder.file("key.pem"), atomically: false, encoding: .utf8)
        let none = try scene.run()
        #expect(none.status == 77 && none.errors.contains("no private key in the form of PEM"), "\(none.errors)")
        _ = try Shell.output([
            "openssl", "genpkey", "-out", scene.folder.file("key.pem"), "-quiet", "-algorithm", "ED25519", "-aes256",
            "-pass", "pass:secret",
        ])
        #expect(try scene.run().errors.contains("without a passphrase"))
        #expect(try service.forms.isEmpty)
    }
}
