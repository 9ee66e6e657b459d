import Foundation

extension TortureScenario {
    static let all = imports + keeping + changes + seeds + others

    private static let run = ["run", "{disk}/p.jsonc", "-q", "--batch-size", batch]
    private static let inBatches = run + ["--commit", "batch"]

    /// The definition and the first version of the feed, loaded; then the second.
    private static func night(
        _ definition: String = definition(), every step: Int = 1, _ more: [Step] = []
    ) -> [Step] {
        [.write("p.jsonc", definition), .write("feed.json", feed(1)), .run(run)] + more
            + [.write("feed.json", feed(2, every: step))]
    }

    private static let first: [Step] = [.write("p.jsonc", definition()), .write("feed.json", feed(2))]

    private static let imports = [
        TortureScenario(name: "first import", before: first, words: run),
        TortureScenario(name: "first import in batches", before: first, words: inBatches, isInBatches: true),
        TortureScenario(name: "night", before: night(), words: run + ["--force"]),
        TortureScenario(name: "night that knows its feed", before: night(every: 10), words: run),
        TortureScenario(name: "night in batches", before: night(), words: inBatches, isInBatches: true),
        TortureScenario(
            name: "night with absent objects",
            before: night(definition(entity: #""absent": "delete", "#)) + [.write("feed.json", feed(2, first: 5))],
            words: run),
        TortureScenario(
            name: "web pages",
            before: [
                .write("p.jsonc", definition(source: #""url": "{feeds}/1.json", "pages": { "next": "$.next" }"#)),
                .write("1.json", feed(1, next: #""next": "{feeds}/2.json","#)), .write("2.json", feed(1, first: count)),
                .run(run), .write("1.json", feed(2, next: #""next": "{feeds}/2.json","#)),
            ], words: run, kinds: [.network]),
    ]

    private static let keeping = [
        TortureScenario(
            name: "archive",
            before: night(definition(#""archive": { "directory": "archive", "keep": 1 },"#)), words: run),
        TortureScenario(
            name: "replay",
            before: night(
                definition(#""archive": { "directory": "archive", "keep": 9 },"#),
                [.write("feed.json", feed(2)), .run(run)]),
            words: ["replay", "{disk}/p.jsonc", "--run", "1", "-q", "--batch-size", batch]),
        TortureScenario(
            name: "findings and a report", before: night(),
            words: run + ["--findings", "{disk}/findings.ndjson", "--report", "{disk}/report.html"],
            // Where the run is done, and only they were not written.
            next: run + ["--findings", "{disk}/findings.ndjson", "--report", "{disk}/report.html", "--force"]),
        TortureScenario(
            name: "rejects that are mended",
            before: night(definition(), [.run(run + ["--force", "--findings", "{disk}/f.ndjson"])]) + [
                .write("p.jsonc", definition().replacingOccurrences(of: #""id": "integer""#, with: #""id": "text""#))
            ],
            words: ["replay", "{disk}/p.jsonc", "--rejects", "{disk}/f.ndjson", "-q", "--batch-size", batch]),
    ]

    private static let changes = [
        TortureScenario(
            name: "renaming",
            before: night()
                + [
                    .write(
                        "p.jsonc",
                        definition(name: "title", type: #"{ "type": "text", "from": "name", "was": "name" }"#))
                ],
            words: run),
        TortureScenario(
            name: "another type",
            before: night() + [
                .write(
                    "p.jsonc", definition().replacingOccurrences(of: #""code": "text""#, with: #""code": "integer""#))
            ],
            words: run),
        TortureScenario(
            name: "edits",
            before: night(
                definition(entity: #""edits": "keep","#),
                [
                    .sql(
                        """
                        CREATE TABLE sluice_edit (
                          entity TEXT NOT NULL, objectID INTEGER NOT NULL, attribute TEXT NOT NULL, base ANY, imported ANY,
                          PRIMARY KEY (entity, objectID, attribute)) STRICT, WITHOUT ROWID;
                        INSERT INTO sluice_edit SELECT 'Item', objectID, 'name', name, name FROM Item WHERE id < 9;
                        UPDATE Item SET name = 'mine' WHERE id < 9
                        """)
                ]), words: run, queries: ["SELECT * FROM sluice_edit ORDER BY 1, 2, 3"]),
        TortureScenario(
            name: "history", before: night(definition(#""history": true,"#)), words: run,
            queries: ["SELECT id, name, parent FROM Item_history ORDER BY 1, 2"]),
        TortureScenario(
            name: "the store as it was",
            before: night(definition(#""history": true,"#)) + [.run(run)],
            words: ["at", "{disk}/p.jsonc", "1", "--output", "{disk}/old.sqlite"],
            statusAfterSuccess: 73),
        TortureScenario(
            name: "what is forgotten",
            before: night(definition(#""history": true,"#)) + [.run(run)],
            words: ["forget", "{disk}/p.jsonc", "Item", "3"],
            queries: ["SELECT id, name, parent FROM Item_history ORDER BY 1, 2"]),
    ]

    private static let build = ["seed", "build", "{disk}/p.jsonc", "--output", "{disk}/seeds", "-q"]
    private static let install = ["seed", "install", "{disk}/seeds/p.seed.json", "--store", "{disk}/app.sqlite", "-q"]

    private static let seeds = [
        TortureScenario(
            name: "a seed is built",
            before: night() + [.run(run), .run(build), .write("feed.json", feed(3)), .run(run)], words: build),
        TortureScenario(name: "a seed is installed", before: night() + [.run(build)], words: install),
        TortureScenario(
            name: "a seed is brought forward",
            before: night() + [.run(build), .run(install), .run(run), .run(build)], words: install),
    ]

    private static let others = [
        TortureScenario(
            name: "extract", before: first, words: ["extract", "{disk}/p.jsonc", "--to", "{disk}/parts", "-q"])
    ]
}
