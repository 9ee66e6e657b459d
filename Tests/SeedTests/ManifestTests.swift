import Foundation
import SluiceRecords
import Testing

@testable import SluiceSeed

/// Manifests: as they are written, they are read; and nothing is taken from them that is not sound.
@Suite struct ManifestTests {
    static let model = SeedModel([
        SeedEntity(
            name: "Stop", table: "Stop", identifier: ["stop_id"],
            attributes: [.init(name: "stop_id", type: "\"text\""), .init(name: "name", type: "\"text\"")],
            relationships: [.init(name: "parent", targets: ["Stop"], isMany: false)])
    ])

    private func manifest() throws -> SeedManifest {
        let hash = String(repeating: "ab", count: 32)
        return SeedManifest(
            name: "transit", version: 12, created: "2026-11-21T02:00:00Z", sluice: "0.2.0", sqlite: "3.40.1",
            modelHash: try ManifestTests.model.hash(), content: hash, model: ManifestTests.model, objects: [13],
            whole: .init(
                file: "transit-12.sqlite.zst", bytes: 22, sha256: hash, expandedBytes: 72, expandedSha256: hash),
            deltas: [
                .init(
                    from: 11, fromContent: hash, file: "transit-11-12.delta.zst", bytes: 9, sha256: hash,
                    expandedBytes: 35)
            ])
    }

    private func read(_ text: String) throws -> SeedManifest { try SeedManifest(Array(text.utf8), named: "m") }

    @Test func whatIsWrittenIsRead() throws {
        let manifest = try manifest()
        #expect(try read(manifest.json) == manifest)
        #expect(try read(manifest.json).json == manifest.json)
    }

    @Test(arguments: [
        ("\"transit-12.sqlite.zst\"", "\"../transit-12.sqlite.zst\"", "no name of a file beside the manifest"),
        ("\"transit-12.sqlite.zst\"", "\"a/b.zst\"", "no name of a file beside the manifest"),
        ("\"transit-12.sqlite.zst\"", "\"a..b\"", "no name of a file beside the manifest"),
        ("\"transit-12.sqlite.zst\"", "\".hidden\"", "no name of a file beside the manifest"),
        ("\"transit-12.sqlite.zst\"", "\"\"", "no name of a file beside the manifest"),
        ("\"transit-11-12.delta.zst\"", "\"/etc/passwd\"", "no name of a file beside the manifest"),
        ("\"name\": \"transit\"", "\"name\": \"../x\"", "no name of a seed"),
        ("\"format\": 1", "\"format\": 2", "the manifest is of format 2"),
        ("\"version\": 12", "\"version\": 0", "\"version\" must be a version from 1"),
        ("\"version\": 12", "\"version\": -1", "\"version\" must be a whole number from 0"),
        ("\"bytes\": 22", "\"bytes\": \"22\"", "\"bytes\" must be a whole number from 0"),
        ("\"bytes\": 22", "\"bytes\": 99999999999999999999", "\"bytes\" must be a whole number from 0"),
        ("\"content\": \"ab", "\"content\": \"AB", "\"content\" must be a SHA-256 in lowercase hexadecimal"),
        ("\"name\":\"text\"", "\"name\":\"real\"", "\"model\" is not the hash of its entities"),
        ("\"whole\"", "\"hole\"", "\"whole\" is missing"),
        ("\"deltas\": [", "\"deltas\": {}, \"x\": [", "\"deltas\" must be a list"),
        ("\"format\"", "format", "this is no manifest of a seed"),
    ])
    func whatIsNotSound(part: String, other: String, message: String) throws {
        let text = try manifest().json
        #expect(text.contains(part))
        do {
            _ = try read(text.replacing(part, with: other))
            Issue.record("it was read")
        } catch let failure as Failure {
            #expect(failure.kind == .data)
            #expect(failure.message.contains(message), "\(failure)")
        }
    }

    @Test func filesOfASeed() {
        #expect(SeedName.version(of: "transit-12.sqlite.zst", "transit") == 12)
        #expect(SeedName.version(of: "transit-11-12.delta.zst", "transit") == 12)
        #expect(SeedName.version(of: "transit-2-3-4.delta.zst", "transit") == nil)
        #expect(SeedName.version(of: "transit-2-3-4.delta.zst", "transit-2") == 4)
        #expect(SeedName.version(of: "transit-012.sqlite.zst", "transit") == nil)
        #expect(SeedName.version(of: "transits-12.sqlite.zst", "transit") == nil)
        #expect(SeedName.version(of: "transit-12.sqlite", "transit") == nil)
    }

    // MARK: Models

    @Test func theHashIsThatOfThePage() throws {
        let page = try String(contentsOfFile: pagePath, encoding: .utf8)
        #expect(page.contains("`\(try ManifestTests.model.hash())`"))
        #expect(page.contains("\n\(ManifestTests.model.canonical)\n"))
    }

    /// What a program requires, and what a seed has: each change of one of them.
    @Test func whatFits() throws {
        let model = ManifestTests.model
        func changed(_ change: (inout SeedEntity) -> Void) -> SeedModel {
            var copy = model
            change(&copy.entities[0])
            return copy
        }
        let more = changed {
            $0.attributes.append(.init(name: "height", type: "\"real\""))
            $0.relationships.append(.init(name: "lines", targets: ["Line"], isMany: true))
        }
        let others: [(SeedModel, String)] = [
            (SeedModel([]), "the entity Stop is required"),
            (changed { $0.table = "stops" }, "the table Stop is required, and the seed has stops"),
            (changed { $0.identifier = ["name"] }, "the identifier stop_id is required, and the seed has name"),
            (changed { $0.attributes.removeAll { $0.name == "name" } }, "Stop.name: \"text\" is required"),
            (changed { $0.attributes[0].type = "\"integer\"" }, "and the seed has \"integer\""),
            (changed { $0.relationships = [] }, "Stop.parent: a relationship to Stop is required"),
            (changed { $0.relationships[0].isMany = true }, "and the seed has one to many Stop"),
            (changed { $0.relationships[0].targets = ["Line"] }, "and the seed has one to Line"),
            (changed { $0.relationships[0].targets = ["Stop", "Line"] }, "and the seed has one to Stop, Line"),
        ]
        #expect(model.contradictions(requiredBy: model).isEmpty)
        #expect(more.contradictions(requiredBy: model).isEmpty)
        #expect(model.contradictions(requiredBy: SeedModel([])).isEmpty)
        #expect(model.contradictions(requiredBy: more).count == 2)
        for (other, message) in others {
            let found = other.contradictions(requiredBy: model)
            #expect(found.count == 1 && found[0].contains(message), "\(found): \(message)")
            #expect(try other.hash() != model.hash())
        }
        #expect(try more.hash() != model.hash())
    }

    /// Two spellings of one letter are two names.
    @Test func namesAreBytes() {
        let composed = SeedEntity(name: "\u{e9}", table: "t", identifier: [], attributes: [], relationships: [])
        let decomposed = SeedEntity(name: "e\u{301}", table: "t", identifier: [], attributes: [], relationships: [])
        #expect(SeedModel([composed]).contradictions(requiredBy: SeedModel([decomposed])).count == 1)
    }
}

let pagePath = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Documentation/seeds.md").path
