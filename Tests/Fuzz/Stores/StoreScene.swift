/// A pipeline whose store has one of everything.
enum StoreScene {
    static let definition = """
        {
          "name": "fuzz",
          "source": { "file": "feed.json" },
          "store": { "sqlite": "store.sqlite" },
          "limits": { "rejects": null, "deletes": null },
          "entities": {
            "Stop": {
              "records": "$.stops[*]",
              "identifier": "id",
              "absent": "mark",
              "attributes": {
                "id": "text", "name": { "type": "text", "index": true }, "lat": "real", "zone": "integer",
                "price": "decimal", "open": "boolean", "day": "date", "at": "datetime", "data": "json", "raw": "bytes"
              },
              "relationships": {
                "parent": { "to": "Stop" },
                "line": { "to": "Line", "identifier": ["net", "line"] },
                "near": { "to": "Stop", "from": "near[*]", "many": true },
                "owner": { "to": ["Stop", "Note"] },
                "things": { "to": ["Stop", "Note"], "from": "things[*]", "many": true }
              }
            },
            "Line": {
              "records": "$.lines[*]",
              "identifier": ["net", "number"],
              "absent": "delete",
              "attributes": { "net": "text", "number": "integer", "name": "text" }
            },
            "Note": {
              "records": "$.notes[*]",
              "identifier": "id",
              "duplicates": "first",
              "attributes": { "id": "integer", "text": "text" },
              "relationships": {
                "stop": { "to": "Stop", "onDelete": "cascade", "missing": "stub" },
                "line": { "to": "Line", "identifier": ["net", "line"], "onDelete": "cascade" }
              }
            }
          }
        }
        """

    static let feeds = [
        """
        {"stops": [
          {"id": "a", "name": "Alex", "lat": 52.5, "zone": 1, "price": "1.50", "open": true, "day": "2026-11-20",
           "at": "2026-11-20T23:13:00Z", "data": {"x": [1]}, "raw": "YWI=", "parent": "b", "net": "s", "line": 5,
           "near": ["b", "c", "z"], "owner": 1, "things": ["a", 2, "q"]},
          {"id": "b", "name": "Zoo", "zone": 2, "parent": "nowhere", "net": "s", "line": 9, "near": ["a"], "owner": "a"},
          {"id": "c", "parent": "a", "near": [], "owner": "later", "things": [1]},
          {"id": "d", "name": "Ost", "lat": -0.5, "net": "u", "line": 1, "near": ["a", "b", "c", "d"]}],
         "lines": [{"net": "s", "number": 5, "name": "S5"}, {"net": "u", "number": 1, "name": "U1"},
          {"net": "s", "number": 7}],
         "notes": [{"id": 1, "text": "closed", "stop": "a", "net": "s", "line": 5}, {"id": 2, "stop": "made", "net": "u",
          "line": 2}, {"id": 2, "text": "again"}, {"id": 3, "stop": "b", "net": "s", "line": 7}]}
        """,
        """
        {"stops": [
          {"id": "b", "name": "Zoologischer Garten", "zone": 2, "parent": "a", "near": ["a", "e"], "owner": 3},
          {"id": "e", "lat": 1, "parent": "d", "near": ["e", "d"], "owner": "z", "things": ["z", 7]},
          {"id": "a", "name": "Alex", "lat": 52.5, "zone": 1, "data": {"x": [2]}, "parent": null, "net": "u", "line": 1},
          {"id": "z", "name": "late", "parent": "made", "near": ["a"], "things": ["a", "b", "e", 3]}],
         "lines": [{"net": "u", "number": 1, "name": "U1"}, {"net": "u", "number": 2}],
         "notes": [{"id": 3, "text": "new", "stop": "b", "net": "u", "line": 2}, {"id": 4, "stop": "e"}]}
        """,
        #"{"stops": [], "lines": [], "notes": []}"#,
    ]
}
