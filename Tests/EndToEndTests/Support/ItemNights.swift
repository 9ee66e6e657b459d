import Foundation
import Testing

/// Four nights of the items that scenes have, and what commands say of their past, whatever the store.
enum ItemNights {
    static let feeds = [
        #"{"items": [{"id": 1, "name": "a", "price": 1.5}, {"id": 2, "name": "b", "parent": 1}, {"id": 3, "name": "c"}]}"#,
        #"{"items": [{"id": 1, "name": "A", "price": 1.5}, {"id": 2, "name": "b", "parent": 3}, {"id": 4, "name": "d"}]}"#,
        #"{"items": [{"id": 1, "name": "A", "price": 2}, {"id": 3, "name": "again", "parent": 4}, {"id": 4, "name": "d"}]}"#,
        #"{"items": [{"id": 5, "name": "e", "parent": 5}, {"id": 1, "name": "a", "price": 1.5}]}"#,
    ]

    // MARK: What commands say

    /// The lines of JSON that a command prints.
    static func json(_ words: [String]) throws -> [[String: Any]] {
        let outcome = try Sluice.run(words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try outcome.output.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    static func history(_ definition: String, _ identifier: String) throws -> [[String: Any]] {
        try json(["history", definition, "Item", identifier, "--format", "json"])
    }

    /// The runs from and to which versions were true, the newest first.
    static func runs(_ versions: [[String: Any]]) -> [[Int?]] {
        versions.map { version in ["from", "to"].map { (version[$0] as? [String: Any])?["run"] as? Int } }
    }

    // MARK: Archives

    /// What the archive of all nights gives in another store, in a file, has the same history.
    static func checkReplays(_ folder: TemporaryFolder, _ definition: String) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("archive")).sorted()
        #expect(files.count == feeds.count)
        let other = ["--store", folder.file("replayed.sqlite")]
        for file in files {
            let outcome = try Sluice.run(["replay", definition, folder.file("archive/" + file), "--quiet"] + other)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        for identifier in 1...5 {
            let words = ["history", definition, "Item", "\(identifier)", "--format", "json"]
            let (found, expected) = (try json(words + other), try json(words))
            #expect(runs(found) == runs(expected))
            let values = { (versions: [[String: Any]]) in versions.map { $0["values"] as? NSDictionary } }
            #expect(values(found) == values(expected))
        }
        for from in 0...feeds.count {
            for to in 0...feeds.count {
                let words = ["diff", definition, "\(from)", "\(to)", "--format", "ndjson"]
                #expect(try Sluice.run(words + other).output == Sluice.run(words).output, "from \(from) to \(to)")
            }
        }
    }

    // MARK: Entities that get another name

    /// What a version names of an entity that is called otherwise now, is called as it is now: in the view, in what an
    /// object has been, and in what differs between nights.
    ///
    /// - Parameter rows: those of a query, with `@` for the store.
    static func checkRenaming(
        _ folder: TemporaryFolder, _ definition: String, rows: (String) throws -> [[String]]
    ) throws {
        let base = try String(contentsOfFile: definition, encoding: .utf8)
        let note = { (first: String) in
            let map = #""map": { "i": "\#(first)", "p": "Person" }"#
            return """
                "Note": {
                  "records": "$.notes[*]", "identifier": "id", "attributes": { "id": "integer", "text": "text" },
                  "relationships": {
                    "about": { "to": ["\(first)", "Person"], "entity": { "from": "kind", \(map) } },
                    "all": {
                      "to": ["\(first)", "Person"], "many": true, "from": "all[*].id", "entity": { "from": "all[*].kind", \(map) }
                    }
                  }
                },
                "Person": { "records": "$.persons[*]", "identifier": "id", "attributes": { "id": "integer" } },
                """
        }
        let write = { (old: String, new: String) in
            let text = base.replacing(
                "\"Item\": {", with: note(new) + "\"\(new)\": { \(old.isEmpty ? "" : "\"was\": \"\(old)\",")")
            _ = try folder.write("items.jsonc", text.replacing("\"to\": \"Item\"", with: "\"to\": \"\(new)\""))
        }
        let feed = { (text: String, id: Int) in
            _ = try folder.write(
                "feed.json",
                """
                {"items": [{"id": 1}, {"id": 2}], "persons": [{"id": 1}], "notes": [{"id": 7, "text": "\(text)",
                "kind": "i", "about": \(id), "all": [{"kind": "i", "id": \(id)}, {"kind": "p", "id": 1}]}]}
                """)
            #expect(try Sluice.run(["run", definition]).status == 0)
        }
        try write("", "Item")
        try feed("a", 1)
        try feed("b", 2)
        try write("Item", "Thing")
        try feed("b", 2)
        try write("Thing", "Object")
        try feed("c", 2)
        let versions = try json(["history", definition, "Note", "7", "--format", "json"])
        #expect(runs(versions) == [[4, nil], [2, 4], [1, 2]])
        let values = versions.compactMap { $0["values"] as? [String: Any] }
        #expect(values.map { $0["about_entity"] as? String } == ["Object", "Object", "Object"])
        #expect(values.map { $0["about"] as? Int } == [2, 2, 1])
        #expect(values.allSatisfy { "\($0["all"] ?? "")".contains("Object") })
        let changes = try json(["diff", definition, "2", "4", "Note", "--format", "ndjson"])
        #expect(changes.map { ($0["changes"] as? [String: Any])?.keys.sorted() } == [["text"]])
        let view = "SELECT about_entity, about FROM @\"Note_history\" WHERE id = 7 AND from_run < 4 ORDER BY from_run"
        #expect(Set(try rows(view).map { $0[0] }) == ["Object"])
        #expect(try rows(view).first?[1] == "1" && rows(view).last?[1] == "2")
    }

    // MARK: What a night has changed

    /// Commands that keep the file of changes, one for all and one for each entity, and note its name.
    static let hooks: String = {
        let command = { (name: String) in
            #"["sh", "-c", "test -z $SLUICE_CHANGES || cp $SLUICE_CHANGES \#(name).$SLUICE_RUN; echo $SLUICE_CHANGES >> names"]"#
        }
        let all = #"{ "run": \#(command("run")) }, { "run": \#(command("{entity}")), "per": "entity" }"#
        return #""after": { "succeeded": [\#(all)] }"#
    }()

    /// After all nights, each of which has run the `hooks`.
    static func checkHooks(_ folder: TemporaryFolder, _ definition: String) throws {
        let read = { (name: String) in try String(contentsOfFile: folder.file(name), encoding: .utf8) }
        for night in 1...feeds.count {
            let expected = try Sluice.run(["diff", definition, "\(night - 1)", "\(night)", "--format", "ndjson"])
            #expect(!expected.output.isEmpty)
            #expect(try read("run.\(night)") == expected.output)
            #expect(try read("Item.\(night)") == expected.output)
        }
        let paths = try read("names").split(separator: "\n")
        #expect(paths.count == 2 * feeds.count)
        for path in paths { #expect(!FileManager.default.fileExists(atPath: String(path))) }
    }

    /// Runs nights of a store that has none yet, and looks at their pages.
    static func checkPage(_ folder: TemporaryFolder, _ definition: String) throws {
        let read = { (name: String) in try String(contentsOfFile: folder.file(name), encoding: .utf8) }
        for name in ["old <b>", "new <i>"] {
            _ = try folder.write("feed.json", #"{"items": [{"id": 1, "name": "\#(name)"}, {"id": 2}]}"#)
            #expect(try Sluice.run(["run", definition, "--report", folder.file("page.html")]).status == 0)
        }
        let row =
            "<tr><td>Item 1</td><td>name</td><td>&quot;old &lt;b&gt;&quot;</td><td>&quot;new &lt;i&gt;&quot;</td></tr>"
        let page = try read("page.html")
        #expect(page.contains(row))
        #expect(!page.contains("Item 2"))
        let words = ["runs", definition, "--run", "1", "--report", folder.file("first.html")]
        #expect(try Sluice.run(words).status == 0)
        #expect(try read("first.html").contains("<tr><td>Item 2</td><td>created</td><td></td><td></td></tr>"))
        // Many are cut.
        let items = (0..<1000).map { #"{"id": \#($0), "name": "x"}"# }
        _ = try folder.write("feed.json", #"{"items": [\#(items.joined(separator: ", "))]}"#)
        #expect(try Sluice.run(["run", definition, "--report", folder.file("page.html")]).status == 0)
        #expect(try read("page.html").contains("These are the first 300 objects"))
    }
}
