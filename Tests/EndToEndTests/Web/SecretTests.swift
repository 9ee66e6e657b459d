import Foundation
import TestSupport
import Testing

/// No secret is in anything that a run writes, however it ends.
struct SecretTests {
    private static let secrets = ["t0ken-s3cret", "h3ader-s3cret", "qu3ry-s3cret", "pa55word-s3cret", "url-s3cret"]
    /// Those that a run knows: it asks with a token, or with a password.
    private static func known(_ auth: String) -> [String] {
        secrets.filter { $0 != (auth.contains("file") ? "t0ken-s3cret" : "pa55word-s3cret") }
    }

    private static let auths = [
        #"{ "bearer": "${TOKEN}" }"#, #"{ "bearer": { "file": "secret" } }"#,
        #"{ "header": { "X-Api-Key": "${TOKEN}" } }"#,
        #"{ "basic": { "user": "me", "password": { "file": "secret" } } }"#,
    ]

    private static let steps = [
        #"{"items":9}"#, #"{"status":401,"body":"%BODY%"}"#, #"{"status":404,"body":"%BODY%"}"#,
        #"{"status":500,"body":"%BODY%"}"#, #"{"body":"<%BODY%>"}"#, #"{"items":900,"cut":5000}"#,
        #"{"status":302,"headers":[["Location","ftp://x/?%BODY%"]]}"#,
    ]

    @Test(arguments: auths, steps)
    func areNowhere(_ auth: String, _ step: String) throws {
        let service = FaultyServer.shared.service(
            step.replacing("%BODY%", with: SecretTests.known(auth).joined(separator: ",")))
        let scene = try WebScene(
            """
            "url": "\(service.url)?key=${URL_KEY}", "headers": { "X-Other": "${HEADER}" }, "query": { "q": "${QUERY}" },
            "retries": 1, "auth": \(auth)
            """)
        let secret = try scene.folder.write("secret", "pa55word-s3cret\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        scene.environment["TOKEN"] = "t0ken-s3cret"
        scene.environment["HEADER"] = "h3ader-s3cret"
        scene.environment["QUERY"] = "qu3ry-s3cret"
        scene.environment["URL_KEY"] = "url-s3cret"
        let report = ["--report", scene.folder.file("report"), "--findings", scene.folder.file("findings")]
        let outcome = try Sluice.run(["run", scene.definition] + report, environment: scene.environment)
        #expect((outcome.status == 0) == step.contains(#""items":9}"#))
        try FileManager.default.removeItem(atPath: secret)
        var texts = [outcome.output, outcome.errors]
        for name in scene.folder.names {
            texts.append(String(decoding: try Data(contentsOf: URL(filePath: scene.folder.file(name))), as: UTF8.self))
        }
        #expect(texts.count >= 4)
        for text in texts {
            for secret in SecretTests.secrets {
                #expect(!text.contains(secret), "\(secret) in \(text.prefix(2000))")
            }
        }
        // They reached the service.
        let request = try #require(service.requests.first)
        #expect(request.query == "key=url-s3cret&q=qu3ry-s3cret" && request.headers["x-other"] == "h3ader-s3cret")
    }

    /// What a definition has in the wrong place is not repeated, either.
    @Test(arguments: [
        #""auth": "${TOKEN}""#, #""auth": { "basic": "${TOKEN}" }"#, #""headers": "${TOKEN}""#,
        #""auth": { "bearer": ["${TOKEN}"] }"#, #""auth": { "bearer": { "file": "${TOKEN}/x" } }"#,
    ])
    func areNotInMistakes(_ keys: String) throws {
        let scene = try WebScene(#""url": "http://127.0.0.1:1/", \#(keys)"#)
        let token = keys.contains("file") ? "/nowhere" : "t0ken-s3cret"
        scene.environment["TOKEN"] = token
        let outcome = try scene.run()
        #expect(outcome.status == (keys.contains("file") ? 66 : 78), "\(outcome.errors)")
        if !keys.contains("file") { #expect(!outcome.errors.contains(token), "\(outcome.errors)") }
    }

    /// What a command prints is a secret like others; where it prints none, the run says why, and not what.
    @Test func aCommandMayPrintIt() throws {
        let service = FaultyServer.shared.service(#"{"items":9}"#)
        let scene = try WebScene(#""url": "\#(service.url)", "auth": { "bearer": { "command": ["./token", "a b"] } }"#)
        func script(_ text: String) throws {
            let path = try scene.folder.write("token", "#!/bin/sh\n\(text)\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        }
        let missing = try scene.run()
        #expect(
            missing.status == 66 && missing.errors.contains("./token, which is to print a secret, cannot be started"))
        try script(#"echo "s3cret-$1""#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.requests.map { $0.headers["authorization"] } == ["Bearer s3cret-a b"])
        #expect(!outcome.output.contains("s3cret"))
        try script("echo s3cret; echo the store is locked >&2; exit 3")
        let failed = try scene.run("--force")
        #expect(failed.status == 77 && failed.errors.contains("ended with status 3: the store is locked"))
        #expect(!failed.errors.contains("s3cret"))
        try script("true")
        let empty = try scene.run("--force")
        #expect(
            empty.status == 77 && empty.errors.contains("what the command ./token prints is empty"), "\(empty.errors)")
    }
}
