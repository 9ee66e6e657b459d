import Foundation
import TestSupport
import Testing

/// Seeds as they come over the web: in parts, from servers that do as they like.
@Suite struct SeedWebTests {
    private let scene: SeedScene
    private let key: String
    /// Freed memory is overwritten, and used again at once.
    private let environment = [
        "SLUICE_TEST_BACKOFF": "0.002", "MALLOC_PERTURB_": "165", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
    ]

    init() throws {
        scene = try SeedScene()
        try scene.makeKey("key")
        key = scene.key("key", "pub")
    }

    /// A key with comments before it is read in several pieces.
    @Test func aKeyWithAComment() throws {
        try publish(1...1)
        let text = try String(contentsOfFile: key, encoding: .utf8)
        try (String(repeating: "# a comment of some length\n", count: 40) + text)
            .write(toFile: key, atomically: true, encoding: .utf8)
        let server = try FileServer(scene.seeds)
        let outcome = try install(server.url + "/items.seed.json")
        #expect(outcome.status == 0, "\(outcome)")
        let signed = try Sluice.run(
            ["seed", "build", scene.definition, "--output", scene.seeds, "--sign", scene.key("key", "pem")],
            environment: environment)
        #expect(signed.output == "Nothing new since version 1.\n", "\(signed)")
    }

    /// A seed's name may need percent signs in an address.
    @Test func aNameWithASpace() throws {
        try scene.define("\"name\": \"items of ä\",")
        try scene.load(1)
        try scene.build("--sign", scene.key("key", "pem"))
        let server = try FileServer(scene.seeds)
        let outcome = try install(server.url + "/items%20of%20%C3%A4.seed.json")
        #expect(outcome.status == 0 && outcome.output == "Installed items of ä 1, whole.\n", "\(outcome)")
    }

    private func publish(_ versions: ClosedRange<Int>) throws {
        try scene.publish(versions, "--sign", scene.key("key", "pem"))
    }

    private func install(_ url: String, _ more: [String] = []) throws -> Sluice.Outcome {
        try scene.install(["--key", key] + more, from: url, environment: environment)
    }

    /// A service that has the files of the seeds, each as a script says that is given for its name.
    private func service(_ scripts: [String: [String]] = [:]) throws -> FaultyService {
        let service = FaultyServer.shared.service("{}")
        for name in try FileManager.default.contentsOfDirectory(atPath: scene.seeds) {
            let file = #""file": "\#(scene.seeds)/\#(name)""#
            let steps = (scripts[name] ?? ["\"status\": 200"]).map { "{\(file), \($0)}" }
            service.file(name).post("[\(steps.joined(separator: ","))]")
        }
        return service
    }

    private static let ranges = #""range": true, "headers": [["ETag", "\"a\""]]"#

    @Test func fromAnOrdinaryServer() throws {
        try publish(1...1)
        let server = try FileServer(scene.seeds)
        let secure = ["SSL_CERT_FILE": server.authority]
        let first = try scene.install(from: server.secureURL + "/items.seed.json", environment: secure)
        #expect(first.status == 0 && first.output == "Installed items 1, whole.\n", "\(first)")
        try publish(2...2)
        let second = try install(server.url + "/items.seed.json?token=x")
        #expect(second.status == 0 && second.output == "Installed items 2, by the delta from version 1.\n", "\(second)")
        let state = scene.state
        #expect(try install(server.url + "/items.seed.json").output == "items 2 is installed already.\n")
        #expect(scene.state == state && scene.names == ["app.sqlite"])
        let list = try Sluice.run(["seed", "list", server.url + "/items.seed.json", "--key", key])
        #expect(list.status == 0 && list.output.contains("items 2  "), "\(list)")
        // On its way, anyone can change it.
        let plain = try scene.install(from: server.url + "/items.seed.json")
        #expect(plain.status == 77 && plain.errors.contains("use https, or verify it with --key"), "\(plain)")
        let none = try install(server.url + "/none.seed.json")
        #expect(none.status == 66, "\(none)")
        let refused = try install(server.url + "/private/items.seed.json")
        #expect([66, 77].contains(refused.status), "\(refused)")
    }

    @Test func aServiceThatIsNotThere() throws {
        let outcome = try install("http://127.0.0.1:1/items.seed.json")
        #expect(outcome.status == 69, "\(outcome)")
        #expect(scene.names == [])
    }

    /// No byte but the manifest's and its signature's is asked for, where nothing is to be done.
    @Test func nothingIsFetchedForNothing() throws {
        try publish(1...1)
        try scene.installs()
        let service = try service()
        let outcome = try install(service.file("items.seed.json").url)
        #expect(outcome.output == "items 1 is installed already.\n", "\(outcome)")
        #expect(service.file("items.seed.json").requests.count == 1)
        #expect(service.file("items-1.sqlite.zst").requests.isEmpty)
    }

    /// What breaks off is resumed, with or without ranges.
    @Test(arguments: [true, false]) func whatBreaksOff(hasRanges: Bool) throws {
        try publish(1...1)
        let size = try #require((scene.json()["whole"] as? [String: Any])?["bytes"] as? Int)
        let more = hasRanges ? SeedWebTests.ranges : "\"status\": 200"
        let steps = [
            "\"cut\": \(size / 3), \(more)", "\"cut\": \(size / 4), \(more)", "\"status\": 503", more,
        ]
        let service = try service([
            "items-1.sqlite.zst": steps, "items.seed.json": ["\"cut\": 100", "\"status\": 200"],
        ])
        let outcome = try install(service.file("items.seed.json").url)
        #expect(outcome.status == 0, "\(outcome)")
        try scene.isSound()
        #expect(scene.names == ["app.sqlite"])
        let asked = service.file("items-1.sqlite.zst").requests.map { $0.headers["range"] }
        #expect(asked.count == 4 && asked[0] == nil)
        if hasRanges {
            #expect(
                asked[1] == "bytes=\(size / 3)-"
                    && service.file("items-1.sqlite.zst").requests[1].headers["if-range"] == "\"a\"")
        }
    }

    /// Killed at random bytes, again and again: each process goes on where the last one was, and the end is whole.
    @Test func overSeveralProcesses() throws {
        try scene.load(1, count: 3000)
        try scene.build("--sign", scene.key("key", "pem"), "--level", "1")
        let size = try #require((scene.json()["whole"] as? [String: Any])?["bytes"] as? Int)
        var random = SeededRandom(5)
        let slow = "\"piece\": 2000, \"stall\": 60, \"cut\": "
        var (cut, deaths) = (0, 0)
        while deaths < 5 {
            cut = Int.random(in: 2000...size / 8, using: &random)
            let service = try service(["items-1.sqlite.zst": [slow + "\(cut), \(SeedWebTests.ranges)"]])
            let before = partSize
            let run = try RunningSluice(
                ["seed", "install", service.file("items.seed.json").url, "--store", scene.installed, "--key", key])
            _ = run.waits { partSize - before >= cut }
            run.signal(deaths == 2 ? SIGTERM : SIGKILL)
            let outcome = run.ended()
            #expect([137, 143].contains(outcome.status), "\(outcome)")
            #expect(!scene.names.contains("app.sqlite"))
            deaths += 1
        }
        let begun = partSize
        #expect(begun > 512 && begun < size + 512)
        let service = try service(["items-1.sqlite.zst": [SeedWebTests.ranges]])
        let outcome = try install(service.file("items.seed.json").url)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(service.file("items-1.sqlite.zst").requests.map { $0.headers["range"] } == ["bytes=\(begun - 512)-"])
        try scene.isSound()
        #expect(scene.names.filter { !$0.hasSuffix("-lock") } == ["app.sqlite"])
    }

    private var partSize: Int {
        let path = scene.installed + ".sluice-seed.part"
        return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    /// The file is another one by the time it is resumed: with a validator the service says so, without one the hash.
    @Test(arguments: [true, false]) func aFileThatWasSwapped(hasValidator: Bool) throws {
        try publish(1...1)
        let size = try #require((scene.json()["whole"] as? [String: Any])?["bytes"] as? Int)
        let bare = #""range": true"#
        let half = "\"damage\": 7, \"cut\": \(size / 2), " + (hasValidator ? SeedWebTests.ranges : bare)
        let after = hasValidator ? #""range": true, "headers": [["ETag", "\"b\""]]"# : bare
        let part = try service(["items-1.sqlite.zst": [half, "\"status\": 404"]])
        _ = try install(part.file("items.seed.json").url)
        // That service is gone; the rest comes from another process and another file.
        let dying = try service(["items-1.sqlite.zst": [half + ", \"stall\": 60"]])
        let run = try RunningSluice(
            ["seed", "install", dying.file("items.seed.json").url, "--store", scene.installed, "--key", key])
        _ = run.waits { partSize >= size / 2 }
        run.signal(SIGKILL)
        _ = run.ended()
        let service = try service(["items-1.sqlite.zst": [after]])
        let outcome = try install(service.file("items.seed.json").url)
        #expect(outcome.status == 0, "\(outcome)")
        try scene.isSound()
        #expect(service.file("items-1.sqlite.zst").requests.first?.headers["range"] == "bytes=\(size / 2)-")
    }

    /// What is sent is not what the manifest names.
    @Test(arguments: [
        ("\"damage\": 100", "has another SHA-256 than the manifest names"),
        ("\"after\": \"more\"", "is longer than the"), ("\"part\": 100", "has 100 bytes, and should have"),
        ("\"endless\": \"body\", \"unframed\": true", "is longer than the"),
        // A second compression adds some bytes to most stores, and takes a few from others.
        ("\"encoding\": \"gzip\", \"always\": true", "is longer than the|bytes, and should have"),
    ])
    func whatIsSentIsWrong(step: String, message: String) throws {
        try publish(1...1)
        let service = try service(["items-1.sqlite.zst": [step]])
        let outcome = try install(service.file("items.seed.json").url)
        #expect(outcome.status == 65, "\(outcome)")
        #expect(message.split(separator: "|").contains { outcome.errors.contains($0) }, "\(outcome)")
        #expect(scene.names == [])
    }

    /// A manifest that has no end, or a signature.
    @Test func manifestsThatAreNone() throws {
        try publish(1...1)
        for (scripts, status) in [
            (["items.seed.json": ["\"endless\": \"body\", \"unframed\": true"]], Int32(65)),
            (["items.seed.json.sig": ["\"status\": 404"]], 77), (["items.seed.json.sig": ["\"after\": \"x\""]], 77),
            (["items.seed.json": ["\"damage\": 30"]], 77),
        ] {
            let outcome = try install(try service(scripts).file("items.seed.json").url)
            #expect(outcome.status == status, "\(scripts): \(outcome)")
            #expect(scene.names == [])
        }
        // The signature of just before is met once, and then the right one.
        let late = try service(["items.seed.json.sig": ["\"damage\": 3", "\"status\": 200"]])
        #expect(try install(late.file("items.seed.json").url).status == 0)
    }

    /// A delta that cannot be had is no reason to be without the new version.
    @Test func aDeltaThatIsGone() throws {
        try publish(1...1)
        try scene.installs()
        try publish(2...2)
        let service = try service(["items-1-2.delta.zst": ["\"status\": 404"]])
        let outcome = try install(service.file("items.seed.json").url)
        #expect(outcome.output == "Installed items 2, whole.\n", "\(outcome)")
        try scene.isSound()
    }
}
