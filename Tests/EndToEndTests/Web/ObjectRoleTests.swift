import Foundation
import TestSupport
import Testing

/// Keys of AWS that are those of a role, of a login, or of a program.
@Suite struct ObjectRoleTests {
    private let all: ObjectScene
    private let scene: WebScene

    init() throws {
        all = try ObjectScene(#""file": "s3://feeds/*.json""#)
        scene = all.scene
        for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] { scene.environment[name] = "" }
        scene.environment["AWS_ENDPOINT_URL_STS"] = all.service.url
        scene.environment["AWS_ENDPOINT_URL_SSO"] = all.service.url
        try offer()
    }

    private func offer(_ more: [String: Any] = [:]) throws {
        let keys: [Any] = ["ROLE", "role-secret", "role/session+="]
        try all.offer(["1.json": ObjectScene.feed(1)], ["keys": keys].merging(more) { $1 })
    }

    private func profile(_ text: String, credentials: String = "") throws {
        _ = try scene.folder.write(".aws/config", text)
        _ = try scene.folder.write(".aws/credentials", credentials)
    }

    private func asked(_ method: String) throws -> [[String: String]] {
        try all.service.requests.filter { $0.method == method }.map(\.query)
    }

    private static let caller = "[caller]\naws_access_key_id = CALLER\naws_secret_access_key = caller/+secret\n"

    // MARK: Roles

    @Test func aRoleOfAProfile() throws {
        try profile(
            """
            [default]
            role_arn = arn:aws:iam::1:role/a b
            source_profile = caller
            role_session_name = nightly
            external_id = x&y
            duration_seconds = 900
            """, credentials: ObjectRoleTests.caller)
        for end in ["2099-01-01T00:00:00Z", "2001-01-01T00:00:00Z"] {
            try offer(["end": end])
            let outcome = try scene.run("--force")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let form = try #require(try asked("STS").first)
            #expect(form["Action"] == "AssumeRole" && form["RoleArn"] == "arn:aws:iam::1:role/a b", "\(form)")
            #expect(
                form["RoleSessionName"] == "nightly" && form["ExternalId"] == "x&y" && form["DurationSeconds"] == "900")
        }
        // Its own keys, if it names itself.
        try profile(
            "[default]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = default\n",
            credentials: ObjectRoleTests.caller.replacing("caller]", with: "default]"))
        #expect(try scene.run("--force").status == 0)
        // Those of the machine.
        try profile("[default]\nrole_arn = r\ncredential_source = EcsContainer\n")
        scene.environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = all.service.url + "/creds"
        scene.environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "container-token"
        try offer(["callers": ["ROLE", "role-secret", "role/session+="]])
        let container = try scene.run("--force")
        #expect(container.status == 0, "\(container.errors)")
        // No proxy knows what is near.
        scene.environment["http_proxy"] = "http://127.0.0.1:1"
        scene.environment["no_proxy"] = "127.0.0.1"
        scene.environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] =
            all.service.url.replacing("127.0.0.1", with: "localhost") + "/creds"
        let near = try scene.run("--force")
        #expect(near.status == 0, "\(near.errors)")
    }

    @Test func aTokenSaysWhoAsks() throws {
        let token = try scene.folder.write("token", "web-token\n")
        scene.environment["AWS_WEB_IDENTITY_TOKEN_FILE"] = token
        scene.environment["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/pod"
        #expect(try scene.run("--force").status == 0)
        #expect(try asked("STS").map { $0["RoleArn"] } == ["arn:aws:iam::1:role/pod"])
        _ = try scene.folder.write("token", "another")
        let refused = try scene.run("--force")
        #expect(refused.status == 77 && refused.errors.contains("no <InvalidIdentityToken>"), "\(refused.errors)")
        try FileManager.default.removeItem(atPath: token)
        #expect(try scene.run("--force").status == 77)
        scene.environment["AWS_WEB_IDENTITY_TOKEN_FILE"] = ""
        _ = try scene.folder.write("token", "web-token")
        try profile("[default]\nrole_arn = r\nweb_identity_token_file = \(token)\n")
        #expect(try scene.run("--force").status == 0)
    }

    @Test func rolesThatAreRefused() throws {
        try profile("[default]\nrole_arn = r\nsource_profile = caller\n", credentials: ObjectRoleTests.caller)
        try offer(["callers": ["CALLER", "another", NSNull()]])
        let refused = try scene.run()
        #expect(refused.status == 77 && refused.errors.contains("no <SignatureDoesNotMatch>"), "\(refused.errors)")
        #expect(!refused.errors.contains("caller/+secret"))
        let wrong = [
            ("[default]\nrole_arn = r\n", "neither source_profile"),
            ("[default]\nrole_arn = r\nsource_profile = none\n", "no profile none"),
            (
                "[default]\nrole_arn = r\nsource_profile = a\n[profile a]\nrole_arn = r\nsource_profile = default\n",
                "circle"
            ),
            ("[default]\nrole_arn = r\ncredential_source = Elsewhere\n", "unknown credential_source"),
            (
                "[default]\nrole_arn = r\nsource_profile = caller\nmfa_serial = arn:aws:iam::1:mfa/me\n",
                "wants a code (mfa_serial)"
            ),
        ]
        for (text, message) in wrong {
            try profile(text)
            let outcome = try scene.run()
            #expect(outcome.status == 78 && outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    // MARK: Logins and programs

    @Test(arguments: ["nightly", ""]) func aLogin(session: String) throws {
        let start = "https://example.awsapps.com/start"
        let role = "sso_account_id = 1\nsso_role_name = a b\n"
        let own = "sso_start_url = \(start)\nsso_region = eu-south-2\n"
        let config =
            session.isEmpty
            ? "[default]\n" + role + own : "[default]\nsso_session = nightly\n\(role)[sso-session nightly]\n" + own
        try profile(config)
        let missing = try scene.run()
        #expect(missing.status == 77 && missing.errors.contains("aws sso login"), "\(missing.errors)")
        let key = session.isEmpty ? start : session
        let name = String(decoding: try Shell.output(["sh", "-c", "printf %s '\(key)' | sha1sum"]), as: UTF8.self)
        func logIn(_ end: String) throws {
            _ = try scene.folder.write(
                ".aws/sso/cache/\(name.prefix(40)).json", #"{"accessToken": "sso-token", "expiresAt": "\#(end)"}"#)
        }
        try logIn("2099-01-01T00:00:00Z")
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try asked("SSO") == [["account_id": "1", "role_name": "a b"]])
        try logIn("2001-01-01T00:00:00Z")
        let ended = try scene.run("--force")
        #expect(ended.status == 77 && ended.errors.contains("has ended"), "\(ended.errors)")
    }

    @Test func aProgram() throws {
        let keys =
            #"{"Version": 1, "AccessKeyId": "ROLE", "SecretAccessKey": "role-secret", "SessionToken": "role/session+="}"#
        let file = try scene.folder.write("a file", keys)
        try profile("[default]\ncredential_process = cat \"\(file)\"\n")
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        try profile("[default]\ncredential_process = echo none\n")
        #expect(try scene.run("--force").status == 77)
    }
}
