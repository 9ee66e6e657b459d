import Foundation
import Sluice
import SluiceServerStore
import SluiceStore
import StoreMirror
import TestSupport

/// What keeps a store.
enum StorePlace: String, CaseIterable, Sendable {
    case file, server
}

/// A store of the catalogue, in a folder of its own, or in a schema.
final class StoreScene: Sendable {
    let folder: String
    let path: String
    static let types: [any StoredObject.Type] = [
        Category.self, Supplier.self, Item.self, Review.self, Note.self,
    ]

    /// Nil: the store is a file.
    let server: TestServer?
    private let changes: Int
    private let edits: String
    private let keepsHistory: Bool

    /// - Parameters:
    ///   - items: how many; their values are random, and null now and then.
    ///   - changes: of how many runs the store keeps which objects they have changed.
    ///   - edits: what becomes of edits of reviews.
    ///   - keepsHistory: whether the store keeps what its objects were.
    init(
        items: Int = 0, seed: Int = 1, changes: Int = 0, edits: String = "replace", keepsHistory: Bool = false,
        in place: StorePlace = .file
    ) async throws {
        server = place == .server ? try TestServer(name: "catalogue") : nil
        self.changes = changes
        self.edits = edits
        self.keepsHistory = keepsHistory
        folder = FileManager.default.temporaryDirectory.path + "/store-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = folder + "/catalogue.sqlite"
        try await load(StoreScene.feed(items: items, seed: seed))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
        try? server?.drop()
    }

    /// - Parameter absent: what becomes of items that the feed lacks.
    func definition(absent: String = "mark") throws -> PipelineDefinition {
        let text = try String(contentsOfFile: Bundle.sources + "/Definitions/catalogue.jsonc", encoding: .utf8)
        let file = folder + "/catalogue.jsonc"
        // A server has no entities of programs, and no edits.
        let onServer = server.map { server in
            text.replacing("{ \"sqlite\": \"catalogue.sqlite\" }", with: server.definition)
                .replacing(/,\s+"Note": [\s\S]*\z/, with: "}}")
        }
        try (onServer ?? text).replacing(
            "\"limits\"", with: "\"history\": \(keepsHistory), \"changes\": \(changes), \"limits\""
        )
        .replacing(#""absent": "mark""#, with: #""absent": "\#(absent)""#)
        .replacing(#""$.reviews[*]","#, with: #""$.reviews[*]",\#(server == nil ? #" "edits": "\#(edits)","# : "")"#)
        .write(toFile: file, atomically: true, encoding: .utf8)
        return try PipelineDefinition(contentsOf: file)
    }

    /// The rows of items with their links, by objectID.
    func contents() async throws -> [Int64: String] {
        let store = try open(.read)
        let items = try await store.fetch(Item.all)
        let links = try await store.links(Item.columns.related, of: items.map(\.objectID))
        return Dictionary(uniqueKeysWithValues: items.map { ($0.objectID.number, "\($0) \(links[$0.objectID] ?? [])") })
    }

    /// What another store beside this one is called.
    func name(of store: String) -> String {
        server.map { "\($0.location.schema) \(store)" } ?? "\(folder)/\(store).sqlite"
    }

    /// Runs the pipeline on a feed.
    func load(_ feed: String, absent: String = "mark") async throws {
        let file = folder + "/feed.json"
        // Nor has it texts with a NUL in them.
        try (server == nil ? feed : feed.replacing("\\u0000", with: "")).write(
            toFile: file, atomically: true, encoding: .utf8)
        var options = RunOptions()
        if server == nil { options.store = path }
        options.feeds = [.init(file: file)]
        let report = try await PipelineRun(try definition(absent: absent), options: options).run()
        guard report.outcome.status == .succeeded else { throw StoreError(.defect, "\(report.json)") }
    }

    func open(_ access: Store.Access = .write) throws -> Store {
        guard let server else { return try Store(path, access: access, objects: StoreScene.types) }
        return try Store(
            server: Cluster.shared.get().uri, schema: server.location.schema, objects: StoreScene.types.dropLast())
    }

    // MARK: Feeds

    static let texts = ["", "a", "A", "ab", "b", "Äpfel", "z\u{0}y", "z\u{0}", "z", "zz", "\u{10ffff}", "a%b_"]
    static let decimals = ["0", "0.5", "1", "9", "10", "10.5", "99999999999999999999.000000001"]
    static let days = ["2026-01-31", "2026-11-20", "0001-01-01", "9999-12-31"]
    static let moments = [
        "2026-11-20T23:13:00Z", "2026-11-20T23:13:00.25Z", "2026-11-20T23:13:00.250001Z", "1969-12-31T23:59:59.999999Z",
    ]

    static func feed(items: Int, seed: Int) -> String {
        var random = SeededRandom(seed)
        let all = (0..<items).map { StoreScene.item($0, of: items, &random) }
        let reviews = items == 0 ? [] : (0..<items / 2).map { #"{"id": \#($0), "stars": 3, "item": \#($0 % items)}"# }
        return """
            { "categories": [{"name": "fruit", "rank": 1}, {"name": "wood", "rank": 2}],
              "suppliers": [{"country": "DE", "number": 1, "title": "One"}, {"country": "FR", "number": 1}],
              "items": [\(all.joined(separator: ",\n"))], "reviews": [\(reviews.joined(separator: ","))] }
            """
    }

    private static func item(_ number: Int, of count: Int, _ random: inout SeededRandom) -> String {
        var members = ["\"item_id\": \(number)"]
        func add(_ key: String, _ json: String) {
            let kind = Int.random(in: 0..<5, using: &random)
            if kind > 0 { members.append("\"\(key)\": \(kind == 1 ? "null" : json)") }
        }
        func quoted(_ text: String?) -> String { JSONValue.text(text ?? "").json }
        add("name", quoted(texts.randomElement(using: &random)))
        add("weight", "\(Double(Int.random(in: -8...8, using: &random)) / 4)")
        add("stock", "\(Int.random(in: 0...9, using: &random))")
        add("price", quoted(decimals.randomElement(using: &random)))
        add("tax", quoted(["0", "1.5", "12.25", "7"].randomElement(using: &random)))
        add("cents", quoted(["0", "1.5", "12.25", "7"].randomElement(using: &random)))
        add("is_new", "\(Bool.random(using: &random))")
        add("since", quoted(days.randomElement(using: &random)))
        add("seen", quoted(moments.randomElement(using: &random)))
        add("checked", quoted(moments[0]))
        add("lasts", quoted(["0:00:01.5", "25:10:00", "PT0.001S"].randomElement(using: &random)))
        add("extra", #"{"b": [1, 2.50], "a": \#(number)}"#)
        add("image", quoted(["", "AAEC"].randomElement(using: &random)))
        add("state", quoted(["open", "closed", "lost"].randomElement(using: &random)))
        add("category", quoted(["fruit", "wood"].randomElement(using: &random)))
        add("part_of", "\(Int.random(in: 0..<count, using: &random))")
        members.append("\"kind\": \"\(number % 2 == 0 ? "Item" : "Category")\"")
        add("source", number % 2 == 0 ? "\(Int.random(in: 0..<count, using: &random))" : "\"wood\"")
        add(
            "related", "[\((0..<3).map { _ in "\(Int.random(in: 0..<count, using: &random))" }.joined(separator: ","))]"
        )
        return "{" + members.joined(separator: ", ") + "}"
    }
}

extension Bundle {
    /// The folder of these tests.
    static var sources: String { URL(fileURLWithPath: #filePath).deletingLastPathComponent().path }
}
