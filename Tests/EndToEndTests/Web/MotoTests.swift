import Foundation
import TestSupport
import Testing

/// Objects of a service that others have written: moto, which `.ci/setup python` installs.
@Suite(.enabled(if: MotoServer.isThere)) struct MotoTests {
    @Test func aBucketAndItsNights() throws {
        let server = try MotoServer()
        let scene = try WebScene(#""file": "s3://feeds/a b/*.ndjson.gz", "new": true"#, records: "$")
        scene.environment["AWS_ENDPOINT_URL"] = server.url
        scene.environment["AWS_ACCESS_KEY_ID"] = "id"
        scene.environment["AWS_SECRET_ACCESS_KEY"] = "secret"
        try server.put([("feeds", nil)])
        for night in 0..<2 {
            // More than a page of the list has.
            let numbers = night == 0 ? 0..<35 : 35..<38
            let files = try numbers.map { number in
                ("feeds/a%20b/%C3%BC+\(number).ndjson.gz", try scene.folder.write("\(number)", "{\"id\": \(number)}\n"))
            }
            try server.put(files)
            let outcome = try scene.run()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.count("Item", "created") == numbers.count)
            #expect(outcome.count("Item", "records") == numbers.count)
        }
        #expect(try scene.run().report["status"] as? String == "unchanged")
    }

    /// The archive, in parts, a seed with its delta, and findings, and all of it read again.
    @Test func whatIsWritten() throws {
        let server = try MotoServer()
        let settings = #""archive": { "directory": "s3://feeds/a b/ü" }, "limits": { "rejects": null },"#
        let scene = try WebScene(#""file": "items.json""#, settings: settings)
        scene.environment["AWS_ENDPOINT_URL"] = server.url
        scene.environment["AWS_ACCESS_KEY_ID"] = "id"
        scene.environment["AWS_SECRET_ACCESS_KEY"] = "secret"
        try server.put([("feeds", nil)])
        let line = "tr -dc a-zA-Z0-9+/ </dev/urandom | head -c 24000000"
        let text = String(decoding: try Shell.output(["sh", "-c", line]), as: UTF8.self)
        func sluice(_ words: String...) throws -> Sluice.Outcome {
            let outcome = try Sluice.run(words, environment: scene.environment)
            #expect(outcome.status == 0, "\(words): \(outcome.errors)")
            return outcome
        }
        for run in 1...2 {
            // Once is enough: moto takes its time.
            let name = run == 1 ? text : "short"
            let items = #"{"id": 1, "name": "\#(name)"}, {"id": 2, "name": "\#(run)"}, {"id": "x"}"#
            _ = try scene.folder.write("items.json", #"{"items": [\#(items)]}"#)
            _ = try sluice("run", scene.definition, "--findings", "s3://feeds/findings/last one.ndjson")
            _ = try sluice("seed", "build", scene.definition, "--output", "s3://feeds/seeds")
        }
        let replay = try sluice("replay", scene.definition, "--run", "1", "--format", "json")
        #expect(replay.count("Item", "updated") == 2)
        let verified = try sluice("seed", "verify", "s3://feeds/seeds/items.seed.json")
        #expect(verified.output.contains("2 objects, 1 delta"), "\(verified.output)")
        let findings = try scene.folder.write(
            "findings.jsonc",
            """
            {
              "source": { "file": "s3://feeds/findings/*.ndjson" }, "store": { "sqlite": "findings.sqlite" },
              "entities": { "Finding": { "records": "$", "where": { "kind": "reject" }, "identifier": "entity",
                "attributes": { "entity": "text" } } }
            }
            """)
        #expect(try sluice("run", findings, "--format", "json").count("Finding", "created") == 1)
        _ = try sluice("extract", scene.definition, "--to", "s3://feeds/parts")
    }
}

/// moto's server; it ends with this object.
final class MotoServer {
    private static let python = Sluice.path(".build/python/bin/python3")
    private let process = Process()
    let url: String

    static var isThere: Bool { (try? Shell.run([python, "-c", "import moto.server, flask, flask_cors"])) == 0 }

    /// It tells each request; a pipe that nobody reads would fill up.
    private let log = TemporaryFolder()

    init() throws {
        let output = try log.handle("log")
        process.executableURL = URL(fileURLWithPath: MotoServer.python)
        process.arguments = ["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
        process.environment = ProcessInfo.processInfo.environment.merging(["MOTO_S3_DEFAULT_MAX_KEYS": "10"]) { $1 }
        process.standardOutput = output
        process.standardError = output
        try process.run()
        var found: Substring?
        while found == nil, process.isRunning {
            usleep(20_000)
            let text = try String(contentsOfFile: log.file("log"), encoding: .utf8)
            found = text.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/)?.0
        }
        url = String(try #require(found))
    }

    deinit {
        // It may have threads that wait for nobody.
        kill(process.processIdentifier, SIGKILL)
        process.waitForEnd()
    }

    /// Makes buckets, and objects of what files hold, one after the other.
    func put(_ objects: [(path: String, file: String?)]) throws {
        let folder = TemporaryFolder()
        let lines = try objects.map { path, file in
            "url = \"\(url)/\(path)\"\nupload-file = \"\(try file ?? folder.write("none", ""))\"\n"
        }
        let list = try folder.write("list", lines.joined())
        let type = "Content-Type: application/octet-stream"
        let status = try Shell.run(["curl", "-sS", "-f", "--noproxy", "*", "--path-as-is", "-H", type, "-K", list])
        #expect(status == 0)
    }
}
