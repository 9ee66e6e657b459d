import Foundation
import Testing

/// The definitions of `Pipelines/gallery` on `Samples/gallery`, and their page.
@Suite struct GalleryTests {
    static let names = GalleryReading.all.keys.sorted()
    private let scratch = TemporaryFolder()

    private func definition(_ name: String) -> String { Sluice.path("Pipelines/gallery/\(name).jsonc") }

    private func run(_ name: String, _ more: String...) throws -> Sluice.Outcome {
        let store = scratch.file("\(name).sqlite")
        let outcome = try Sluice.run(["run", definition(name), "--format", "json", "--store", store] + more)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    @Test func everyDefinitionIsRead() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Sluice.path("Pipelines/gallery"))
        #expect(Set(files) == Set(GalleryTests.names.map { "\($0).jsonc" }))
        #expect(files.count >= 20)
    }

    /// What users see of each table, by column, without what is null.
    private func tables(_ database: Database) throws -> [String: Set<[String: String]>] {
        var tables: [String: Set<[String: String]>] = [:]
        for (table, rows) in try database.contents() {
            let columns = try database.rows("SELECT name FROM pragma_table_xinfo('\(table)') WHERE name <> 'objectID'")
            let named = rows.map { row in
                Dictionary(uniqueKeysWithValues: zip(columns.map { $0[0] }, row)).filter { $0.value != "∅" }
                    .mapValues { $0.replacing("\u{1F}", with: "/") }
            }
            tables[table] = Set(named)
            #expect(tables[table]?.count == rows.count)
        }
        return tables
    }

    @Test(arguments: names) func theStoreIsWhatTheSampleSays(_ name: String) throws {
        _ = try run(name)
        let database = try Database(scratch.file("\(name).sqlite"))
        let reading = try #require(GalleryReading.all[name])
        let expected = try reading().mapValues { rows in
            Set(rows.map { $0.compactMapValues(\.self) })
        }
        let stored = try tables(database)
        #expect(Set(stored.keys) == Set(expected.keys))
        for (table, rows) in expected {
            #expect(stored[table]?.subtracting(rows) == [] && rows.subtracting(stored[table] ?? []) == [], "\(table)")
        }
        #expect(try database.isSound())
    }

    /// The second night brings nothing new.
    @Test(arguments: names) func theSecondNightChangesNothing(_ name: String) throws {
        let first = try run(name)
        let second = try run(name, "--force")
        let entities = try #require(second.report["entities"] as? [String: [String: Any]])
        for (entity, counts) in entities {
            for key in ["created", "updated", "deleted"] { #expect(counts[key] as? Int == 0, "\(entity) \(key)") }
            #expect(counts["rejected"] as? Int == first.count(entity, "rejected"))
        }
    }

    /// The definition with the sources behind `// Live:`, in the place of the samples.
    @Test(arguments: names) func theLiveSourcesAreRight(_ name: String) throws {
        let text = try String(contentsOfFile: definition(name), encoding: .utf8)
        let live = text.replacing(/\/\/ Live: (.*)\n( *"\w+": )\{.*?\}(,?)\n/) { "\n\($0.2)\($0.1)\($0.3)\n" }
        #expect(live != text || ["gtfs", "endoflife"].contains(name))
        #expect(!live.contains("Live:"))
        let file = try scratch.write("live.jsonc", live)
        let variables = live.matches(of: /\$\{(\w+)\}/).map { (String($0.1), "secret") }
        let environment = Dictionary(variables) { $1 }
        let outcome = try Sluice.run(["check", file], environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// Programs get types for each of them.
    @Test(arguments: names) func typesAreWritten(_ name: String) throws {
        let outcome = try Sluice.run(["swift", definition(name)])
        #expect(outcome.status == 0 && outcome.output.contains("import SluiceStore"), "\(outcome.errors)")
    }

    /// The page has each definition, with three queries and what they answer.
    @Test(arguments: names) func thePageShowsTheTruth(_ name: String) throws {
        let page = try String(contentsOfFile: Sluice.path("Documentation/gallery.md"), encoding: .utf8)
        let section = try #require(
            page.components(separatedBy: "\n## ").first { $0.contains("```sql \(name)\n") }, "\(name) has no section")
        #expect(section.contains("(../Pipelines/gallery/\(name).jsonc)"))
        let blocks = section.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        try #require(blocks.count == 2)
        let queries = blocks[0].components(separatedBy: ";\n").dropLast().map {
            $0.split(separator: "\n").last.map(String.init) ?? ""
        }
        #expect(queries.count == 3)
        _ = try run(name)
        let database = try Database(scratch.file("\(name).sqlite"))
        let answers = try queries.map { query in
            let rows = try database.rows(query).map { $0.map { $0 == "∅" ? "" : $0 }.joined(separator: "|") }
            #expect(!rows.isEmpty, "\(query)")
            return rows.joined(separator: "\n") + "\n"
        }
        #expect(blocks[1] == "\n" + answers.joined(separator: "\n"))
    }
}
