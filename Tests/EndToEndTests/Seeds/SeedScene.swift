import Foundation
import Testing

/// A pipeline whose store is published, and a place where it is installed.
final class SeedScene {
    let folder = TemporaryFolder()
    var definition: String { folder.file("items.jsonc") }
    var store: String { folder.file("store.sqlite") }
    var seeds: String { folder.file("seeds") }
    var manifest: String { seeds + "/items.seed.json" }
    /// Where nothing else is.
    var place: String { folder.file("place") }
    var installed: String { place + "/app.sqlite" }
    /// What the folder of the seeds cannot show.
    static let secret = "s3cr3t-of-the-feed"

    /// - Parameter members: of the definition, with a comma behind each.
    init(_ members: String = "") throws {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try define(members)
    }

    func define(_ members: String = "", name: String = "text", more: String = "") throws {
        _ = try folder.write(
            "items.jsonc",
            """
            {
              \(members)
              "source": { "file": "\(SeedScene.secret).json" }, "store": { "sqlite": "store.sqlite" },
              "limits": { "rejects": null },
              "entities": {
                "Item": {
                  "records": "$.items[*]", "identifier": "id",
                  "attributes": { "id": "integer", "name": "\(name)", "price": { "type": "decimal", "scale": 2 }\(more) },
                  "relationships": {
                    "parent": { "to": "Item" }, "friends": { "to": "Item", "many": true, "from": "friends[*]" },
                    "any": { "to": ["Item", "Kind"] }
                  }
                },
                "Kind": { "records": "$.kinds[*]", "identifier": "select", "attributes": { "select": "text" } }
              }
            }
            """)
    }

    static func items(_ count: Int, _ version: Int) -> String {
        let items = (0..<count).map { id in
            """
            {"id":\(id),"name":"\(id % 50 == version % 50 ? "v\(version)" : "one") of \(id)","price":"\(id).5",
            "parent":\(id == 3 ? 99_999 : id / 2),"friends":[\((id + 1) % count),\((id + 2) % count)],"any":"\(id % 3)"}
            """
        }
        let kinds = (0..<3).map { "{\"select\":\"\($0)\"}" }
        let bad = "{\"id\":\"no number\",\"name\":\"\(secret)-rejected\"}"
        return "{\"items\":[\((items + [bad]).joined(separator: ","))],\"kinds\":[\(kinds.joined(separator: ","))]}"
    }

    /// Loads a version of the feed; later ones differ in some names.
    func load(_ version: Int, count: Int = 200) throws {
        _ = try folder.write("\(SeedScene.secret).json", SeedScene.items(count, version))
        let outcome = try Sluice.run(["run", definition, "--force", "-q"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// A pair of keys.
    func makeKey(_ name: String) throws {
        let pem = key(name, "pem")
        #expect(try Shell.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", pem]) == 0)
        #expect(try Shell.run(["openssl", "pkey", "-in", pem, "-pubout", "-out", key(name, "pub")]) == 0)
    }

    /// The file of a key: `pem`, the private one, or `pub`.
    func key(_ name: String, _ kind: String) -> String { folder.file("\(name).\(kind)") }

    @discardableResult
    func build(_ more: String..., location: SourceLocation = #_sourceLocation) throws -> Sluice.Outcome {
        let outcome = try Sluice.run(["seed", "build", definition, "--output", seeds] + more)
        #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: location)
        return outcome
    }

    /// Loads and builds versions up to that number.
    func publish(_ versions: ClosedRange<Int>, count: Int = 200, _ more: String...) throws {
        for version in versions {
            try load(version, count: count)
            let outcome = try Sluice.run(["seed", "build", definition, "--output", seeds] + more)
            #expect(outcome.status == 0 && outcome.output.hasPrefix("items \(version): "), "\(outcome)")
        }
    }

    func install(_ more: [String] = [], from: String? = nil, environment: [String: String] = [:]) throws
        -> Sluice.Outcome
    {
        try Sluice.run(["seed", "install", from ?? manifest, "--store", installed] + more, environment: environment)
    }

    /// Installs, and checks that it succeeds and leaves nothing but the store.
    @discardableResult
    func installs(
        _ more: [String] = [], from: String? = nil, location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let outcome = try install(more, from: from)
        #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: location)
        #expect(names == ["app.sqlite"], sourceLocation: location)
        try isSound(location)
        return outcome.output
    }

    /// Whether what is installed is what it says it is.
    func isSound(_ location: SourceLocation = #_sourceLocation) throws {
        let outcome = try Sluice.run(["seed", "verify", installed])
        #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: location)
    }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: place).sorted()) ?? [] }

    /// The version that is installed.
    var version: Int? {
        guard FileManager.default.fileExists(atPath: installed) else { return nil }
        return try? Database(installed).integer("SELECT version FROM sluice_seed")
    }

    func json(_ path: String? = nil) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path ?? manifest))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The file's inode and when it was changed.
    var state: [String] {
        let attributes = (try? FileManager.default.attributesOfItem(atPath: installed)) ?? [:]
        return [FileAttributeKey.systemFileNumber, .modificationDate].map { "\(attributes[$0] ?? "")" }
    }

    /// Replaces the beginning of the bytes of a file of the seeds.
    func change(_ name: String, _ change: (inout Data) -> Void) throws {
        let file = URL(fileURLWithPath: seeds + "/" + name)
        var data = try Data(contentsOf: file)
        change(&data)
        try data.write(to: file)
    }
}
