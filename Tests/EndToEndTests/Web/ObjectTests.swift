import Foundation
import TestSupport
import Testing

/// Feeds that are objects of a service that speaks S3, which verifies signatures.
@Suite struct ObjectTests {
    private let service: ObjectService
    private let scene: WebScene

    init() throws {
        let all = try ObjectScene(#""file": "s3://feeds/transit/*.json""#)
        (service, scene) = (all.service, all.scene)
    }

    private static func feed(_ id: Int) -> String { #"{"items": [{"id": \#(id), "name": "item \#(id)"}]}"# }

    /// As many objects as that, in the folder `transit`.
    private static func objects(_ numbers: some Sequence<Int>) -> [String: String] {
        var objects: [String: String] = [:]
        for number in numbers { objects["transit/\(number).json"] = feed(number) }
        return objects
    }

    private func offer(_ objects: [String: String], _ more: [String: Any] = [:]) throws {
        try service.offer(["buckets": ["feeds": objects]].merging(more) { $1 })
    }

    private var gets: [String] { get throws { try service.requests.filter { !$0.key.isEmpty }.map(\.key) } }

    @Test func aPatternOfObjects() throws {
        var objects = ObjectTests.objects(0..<25)
        // Neither a folder below, nor one beside, nor a mark that stands for a folder, nor another ending.
        for key in ["transit/old/99.json", "transit2/98.json", "transit/", "transit/97.txt", "transit/.96.json"] {
            objects[key] = "x"
        }
        try offer(objects, ["page": 7])
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "created") == 25)
        let lists = try service.requests.filter(\.key.isEmpty)
        #expect(lists.count == 4)
        #expect(lists.allSatisfy { $0.query["prefix"] == "transit/" && $0.query["delimiter"] == "/" })
        #expect(try Set(gets).count == 25 && gets.count == 25)
        let sources = outcome.report["sources"] as? [String: [String: Any]]
        #expect(sources?["main"]?["location"] as? String == "s3://feeds/transit/*.json")
        let wire = outcome.report["wire"] as? [String: [String: Any]]
        #expect(wire?["main"]?["requests"] as? Int == 29, "\(outcome.output)")
        // In the order of their names, whatever comes first.
        try offer(["transit/b.json": #"{"items": [{"id": 1, "name": "b"}]}"#, "transit/a.json": ObjectTests.feed(1)])
        #expect(try scene.run("--force").count("Item", "updated") == 1)
        #expect(try Database(scene.store).rows("SELECT name FROM Item WHERE id = 1") == [["b"]])
    }

    /// Names of ours, of XML, of addresses.
    @Test(arguments: [
        "a b+c/ü&<>'\".json", "x/%41?y=1&z.json", "x/../y//z.json", "~-_.!*()'$@,;:=.json", "日本/\u{1F600}.json",
    ])
    func odd(key: String) throws {
        try scene.define(#""file": "s3://feeds/**/*.json""#)
        try offer([key: ObjectTests.feed(1)])
        let name = String(decoding: try JSONEncoder().encode("s3://feeds/\(key)"), as: UTF8.self)
        try scene.define(#""file": \#(name)"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try gets == [key])
    }

    @Test func whatIsThereIsDecompressed() throws {
        try scene.define(#""file": "s3://feeds/table.csv", "delimiter": ";""#, records: "$")
        try offer(["table.csv": "id;name\n1;one\n2;two\n", "table.csv.old": "id;name\n3;three\n"])
        #expect(try scene.run().count("Item", "created") == 2)
        let preview = try Sluice.run(["preview", scene.definition], environment: scene.environment)
        #expect(preview.status == 0 && preview.output.contains("two"), "\(preview.errors)")
        let checked = try Sluice.run(["check", scene.definition, "--connect"], environment: scene.environment)
        #expect(checked.status == 0, "\(checked.errors)")
        let plan = try Sluice.run(["plan", scene.definition, "--dialect", "duckdb"])
        #expect(plan.errors.contains("a plan does not do objects of S3"), "\(plan.errors)")
    }

    @Test func filesOfArchives() throws {
        _ = try scene.folder.write("zip/a.json", ObjectTests.feed(1))
        _ = try scene.folder.write("zip/b/c.json", ObjectTests.feed(2))
        _ = try Shell.output([
            "env", "-C", scene.folder.file("zip"), "zip", "-q", "-r", scene.folder.file("x.zip"), ".",
        ])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.folder.file("x.zip")))
        try offer(["x.zip": "base64:" + bytes.base64EncodedString()], ["cuts": ["x.zip": 100]])
        try scene.define(#""file": "s3://feeds/x.zip", "member": "b/c.json""#)
        let outcome = try scene.run()
        #expect(outcome.status == 0 && outcome.count("Item", "created") == 1, "\(outcome.errors)")
        #expect(try Database(scene.store).rows("SELECT id FROM Item") == [["2"]])
        try scene.define(#""file": "s3://feeds/x.zip", "member": "c.json""#)
        let missing = try scene.run()
        #expect(
            missing.status == 66 && missing.errors.contains("s3://feeds/x.zip/c.json does not exist"),
            "\(missing.errors)")
        // Two files that are compressed, one behind the other, as they lie there.
        _ = try Shell.output(["gzip", "-k", scene.folder.file("zip/a.json")])
        let packed = try Data(contentsOf: URL(fileURLWithPath: scene.folder.file("zip/a.json.gz")))
        try offer(["a.json.gz": "base64:" + packed.base64EncodedString()])
        try scene.define(#""file": "s3://feeds/a.json.gz""#)
        #expect(try scene.run().count("Item", "created") == 1)
    }

    @Test func whatIsReadIsSaved() throws {
        let settings = #""archive": { "directory": "archive" },"#
        try scene.define(#""file": "s3://feeds/*.json""#, settings: settings)
        try offer(["1.json": ObjectTests.feed(1), "2.json": #"{"items": [{"id": "x"}, {"id": 2}]}"#])
        let failed = try scene.run("--allow", "rejects=1")
        #expect(failed.status == 0, "\(failed.errors)")
        let reject = (failed.report["examples"] as? [[String: Any]])?.first
        #expect((reject?["at"] as? [String: Any])?["file"] as? String == "s3://feeds/2.json")
        #expect(reject?["record"] as? [String: String] == ["id": "x"])
        try offer([:])
        let replay = try Sluice.run(
            ["replay", scene.definition, "--run", "1", "--allow", "rejects=1", "--format", "json"])
        #expect(replay.count("Item", "unchanged") == 2, "\(replay.errors)")
        // What may not be kept of a run that has failed is what it has not read.
        try offer(["1.json": "{nonsense", "2.json": ObjectTests.feed(2)])
        #expect(try scene.run().status == 65)
    }

    // MARK: What goes wrong

    @Test func aDownloadThatIsCutGoesOn() throws {
        let long = #"{"items": [\#((0..<5000).map { #"{"id": \#($0)}"# }.joined(separator: ","))]}"#
        try offer(["transit/1.json": long], ["cuts": ["transit/1.json": 20_000], "fails": [503, 500]])
        let outcome = try scene.run()
        #expect(outcome.status == 0 && outcome.count("Item", "created") == 5000, "\(outcome.errors)")
        #expect(try service.requests.compactMap(\.range) == ["bytes=20000-"])
    }

    /// What is read is what was listed, or nothing.
    @Test(arguments: [
        ["listed": #"{"items": [{"id": 7}]}"#], ["listed": nil], ["cut": #"{"items": [{"id": 7}]}"#], ["cut": nil],
    ])
    func anObjectThatChanges(change: [String: String?]) throws {
        let (when, text) = try #require(change.first)
        let long = #"{"items": [\#((0..<5000).map { #"{"id": \#($0)}"# }.joined(separator: ","))]}"#
        let changes: [String: Any] = ["transit/1.json": text ?? NSNull()]
        try offer(["transit/1.json": long], [when: changes, "cuts": when == "cut" ? ["transit/1.json": 20_000] : [:]])
        let outcome = try scene.run()
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains("changed after the bucket was listed"), "\(outcome.errors)")
        #expect(!scene.folder.names.contains("store.sqlite"))
        try offer(ObjectTests.objects(0..<2))
        #expect(try scene.run().status == 0)
    }

    @Test func whatIsNotThere() throws {
        try offer([:])
        let none = try scene.run()
        #expect(none.status == 66 && none.errors.contains("no object of s3://feeds/transit/*.json exists"))
        #expect(none.errors.contains("items.jsonc:3:"), "\(none.errors)")
        try scene.define(#""file": "s3://other/1.json""#)
        let bucket = try scene.run()
        #expect(bucket.status == 66 && bucket.errors.contains("NoSuchBucket"), "\(bucket.errors)")
        try offer(["1.json.old": ObjectTests.feed(1)])
        try scene.define(#""file": "s3://feeds/1.json""#)
        #expect(try scene.run().status == 66)
    }

    // MARK: Keys

    @Test func aWrongKeyIsRefused() throws {
        try offer(ObjectTests.objects(0..<1))
        scene.environment["AWS_SECRET_ACCESS_KEY"] = "another-secret"
        let outcome = try scene.run()
        #expect(outcome.status == 77 && outcome.errors.contains("SignatureDoesNotMatch"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("another-secret"))
    }

    private func forget() {
        for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] { scene.environment[name] = "" }
    }

    @Test func keysOfAProfile() throws {
        try offer(ObjectTests.objects(0..<1), ["keys": ["P", "p-secret", "p-session"], "region": "eu-south-2"])
        forget()
        scene.environment["AWS_ENDPOINT_URL_S3"] = ""
        _ = try scene.folder.write(
            ".aws/config",
            """
            [default]
            region = us-west-1
            # mine
            [profile  mine]
            region = eu-south-2
            endpoint_url = \(service.url)/
            s3 =
              addressing_style = path
            """)
        _ = try scene.folder.write(
            ".aws/credentials",
            """
            [default]
            aws_access_key_id = D
            aws_secret_access_key = d
            [mine]
            aws_access_key_id=P
            aws_secret_access_key=p-secret
            aws_session_token=p-session
            """)
        scene.environment["AWS_PROFILE"] = "mine"
        #expect(try scene.run().status == 0)
        scene.environment["AWS_PROFILE"] = "yours"
        let none = try scene.run("--force")
        #expect(none.status == 78 && none.errors.contains("no profile yours"), "\(none.errors)")
    }

    @Test func keysOfRoles() throws {
        forget()
        let keys: [Any] = ["ROLE", "role-secret", "role/session+="]
        // Those of a machine have ended nearly, and are asked for again.
        for end in ["2099-01-01T00:00:00Z", "2001-01-01T00:00:00Z"] {
            try offer(ObjectTests.objects(0..<1), ["keys": keys, "end": end])
            scene.environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = service.url + "/creds"
            scene.environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "container-token"
            #expect(try scene.run("--force").status == 0)
            scene.environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = ""
            scene.environment["AWS_EC2_METADATA_DISABLED"] = ""
            scene.environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = service.url
            scene.environment["http_proxy"] = "http://127.0.0.1:1"
            scene.environment["no_proxy"] = "127.0.0.1"
            let machine = try scene.run("--force")
            #expect(machine.status == 0, "\(machine.errors)")
        }
        // Nobody gives any: then requests are not signed.
        scene.environment["AWS_EC2_METADATA_DISABLED"] = "true"
        try service.offer(["buckets": ["feeds": ObjectTests.objects(0..<1)], "keys": NSNull()])
        #expect(try scene.run("--force").status == 0)
    }

    /// Services of other kinds want signatures, too.
    @Test func aServiceBehindSignatures() throws {
        try offer([:], ["region": "eu-central-1"])
        try scene.define(
            """
            "url": "\(service.url)/service/v1/items?z=1&a=b%20c", "query": { "m": "x y/ü" },
            "auth": { "aws": { "service": "execute-api", "region": "eu-central-1" } }
            """)
        #expect(try scene.run().count("Item", "created") == 1)
        try scene.define(
            """
            "url": "\(service.url)/service/v1/items", "body": { "query": "ü" },
            "auth": { "aws": { "service": "execute-api", "region": "eu-central-1" } }
            """)
        let posted = try scene.run()
        #expect(posted.status == 0, "\(posted.errors)")
        // Of their paths, each part is encoded once more for the signature.
        try scene.define(
            """
            "url": "\(service.url)/service/a%20b/c=d/%C3%BC,e%2Ff?x=%2F", "auth": { "aws": { "service": "es", "region": "eu-central-1" } }
            """)
        let escaped = try scene.run()
        #expect(escaped.status == 0, "\(escaped.errors)")
        scene.environment["AWS_SECRET_ACCESS_KEY"] = "another-secret"
        #expect(try scene.run("--force").status == 77)
    }
}
