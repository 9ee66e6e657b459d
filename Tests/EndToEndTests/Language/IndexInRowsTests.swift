import Foundation
import TestSupport
import Testing

/// An index behind `[*]` is one of each element, and never one of the list: one row does not stand for a list of rows.
@Suite struct IndexInRowsTests {
    @Test func everyRowGivesItsValue() throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "d.json",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "entities": {
              "P": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer",
                  "second": { "type": "text", "many": true, "from": "rows[*][1]" },
                  "named": { "type": "text", "many": true, "from": "x[*][1].n" } },
                "relationships": {
                  "one": { "to": "T", "many": true, "from": "rows[*][1]", "oneOrMany": true, "missing": "stub" } } },
              "T": { "identifier": "t", "attributes": { "t": "text" } } } }
            """)
        _ = try folder.write(
            "f.json",
            #"""
            [{"id": 1, "rows": [["S1", "a"], null, ["S3", "c"]]}, {"id": 2, "rows": [["S1", "a"], "p", ["S3", "c"]]},
             {"id": 3, "x": [["a", {"n": "A"}], {"n": "wrong"}, ["c", {"n": "C"}]]},
             {"id": 4, "rows": [["S1", "a"], ["S2", "b"]]}]
            """#)
        let outcome = try Sluice.run(["run", definition])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let database = try Database(folder.file("s.sqlite"))
        #expect(
            try database.rows("SELECT id, second, named FROM P ORDER BY id") == [
                ["1", #"["a","c"]"#, "∅"], ["2", #"["a","c"]"#, "∅"], ["3", "∅", #"["A","C"]"#],
                ["4", #"["a","b"]"#, "∅"],
            ])
        let links = "SELECT P.id, T.t FROM P_one l JOIN P ON P.objectID = l.source JOIN T ON T.objectID = l.target"
        #expect(
            try database.rows(links + " ORDER BY 1, 2") == [
                ["1", "a"], ["1", "c"], ["2", "a"], ["2", "c"], ["4", "a"], ["4", "b"],
            ])
    }
}
