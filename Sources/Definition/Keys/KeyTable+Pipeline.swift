import SluicePostgreSQL
import SluiceRecords

/// The keys of a pipeline, but for its sources and entities.
extension KeyTable {
    /// Of the whole file.
    static let pipeline: [DefinitionKey] = [
        DefinitionKey("$schema", .text, "For editors: the address of this schema.", plan: .asRuns, effect: .none),
        DefinitionKey(
            "name", .text,
            "The pipeline's name in reports and in the run ledger. Default: the file's name without its ending.",
            plan: .asRuns, effect: .none),
        DefinitionKey(
            "source", .named("source"), #"Where the feed comes from. The source is called "main"."#, plan: .asRuns),
        DefinitionKey("sources", .named("sourcesByName"), "Several sources, by name.", plan: .asRuns),
        DefinitionKey("store", .named("store"), "Where the objects go.", plan: .asRuns, effect: .none),
        DefinitionKey(
            "batchSize", .whole(1),
            "How many records are created, saved and forgotten together, at the most. A batch also ends at 16 "
                + "MiB.", default: 5000, plan: .asRuns, effect: .none),
        DefinitionKey(
            "commit", .words(of: PipelineDefinition.Commit.self),
            #"When changes become visible: "run", all or nothing at the end of the run; "batch", every batch is "#
                + #"saved for good."#, default: "run", plan: .asRuns, effect: .none),
        DefinitionKey(
            "limits", .named("limits"), "How many findings a run may have and still succeed, and how few records.",
            plan: .asRuns),
        DefinitionKey(
            "checks", .named("checksByName"),
            "What a run asks its store before it saves, by name: queries whose rows are flaws that only all data shows.",
            plan: .refused("a plan asks no checks")),
        DefinitionKey(
            "archive", .named("archive"), "Saves each run's feed, compressed, for replay.",
            plan: .refused("a plan saves no feeds"), effect: .none),
        DefinitionKey(
            "ledger", .named("ledger"),
            "What the store remembers of its runs.", plan: .refused("the runner's --keep says how many versions stay"),
            effect: .none),
        DefinitionKey(
            "changes", .whole(0),
            "Of how many runs the store keeps which objects they have changed, for programs.", default: 0,
            plan: .refused("a plan notes no changes"), effect: .none),
        DefinitionKey(
            "fingerprints", .flag,
            "Whether a run leaves fingerprints of its feeds beside the store, so that the next one reads only what has "
                + "changed.", default: true, plan: .asRuns, effect: .none),
        DefinitionKey(
            "onAbsent", .words(of: Entity.AbsentValues.self),
            #"What a record without a value does to an existing object, where nothing else is said: "keep" what "#
                + #"is stored, or "clear" it."#, default: "keep", plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "history", .either([.flag, .named("history")]),
            "Whether the store keeps what its objects were before a run changed or deleted them.",
            plan: .refused("a plan keeps no history: its versions are")),
        DefinitionKey(
            "findings", .text,
            "A file to which every run writes all its findings (NDJSON), relative to the definition's folder, or s3://bucket/key.",
            plan: .asRuns, effect: .none),
        DefinitionKey(
            "after", .named("after"),
            "Commands that are started when a run has ended, by how it ended.",
            plan: .refused("a plan starts no commands"), effect: .none),
        DefinitionKey(
            "views", .flag,
            "Whether the store has a view for each entity, with what identifies the targets of its references.",
            default: false,
            plan: .refused("a plan makes no views")),
        DefinitionKey(
            "names", .words(of: StoreNames.Naming.self),
            #"How the store calls tables and columns: "as_written", or "snake_case", stop_time for StopTime."#,
            default: "as_written",
            plan: .refused("its tables and columns are called as the definition has them")),
        DefinitionKey(
            "seed", .named("seed"), "How sluice seed build publishes the store.",
            plan: .refused("a plan's state is not a store"), effect: .none),
        DefinitionKey(
            "bases", .named("basesByName"),
            #"What entities have in common, by name: keys of an entity. They are no entities themselves, see "#
                + #""like"."#, plan: .asRuns),
        DefinitionKey(
            "entities", .named("entitiesByName"), "The types of objects, by name. Each is one table.", plan: .asRuns),
    ]

    static let store: [DefinitionKey] = [
        DefinitionKey(
            "sqlite", .named("databasePath"), "The path of the SQLite database, relative to the definition's folder.",
            plan: .asRuns),
        DefinitionKey("postgresql", .named("postgresql"), "A schema of a PostgreSQL database.", plan: .asRuns),
    ]

    /// Of a store on a server.
    static let postgresql: [DefinitionKey] = [
        DefinitionKey(
            "database", .text, "Where the database is: a URI or keywords as libpq knows them, without a password.",
            plan: .asRuns),
        DefinitionKey("schema", .text, "The schema. Default: the pipeline's name.", plan: .asRuns),
        DefinitionKey(
            "password", .named("secret"), "The password: a file that only its owner may read, or a variable.",
            plan: .asRuns),
        DefinitionKey(
            "tls", .words(of: ServerAddress.TLS.self),
            "How much of TLS is asked for. Default: verify-full for hosts, none for sockets of this machine.",
            plan: .asRuns),
        DefinitionKey(
            "certificates", .text, "The path of the certificates of those who vouch for the server's.", plan: .asRuns),
        DefinitionKey(
            "foreignKeys", .flag, "Whether references are declared as foreign keys.", default: true, plan: .asRuns),
    ]

    static let limits: [DefinitionKey] = [
        DefinitionKey(
            "rejects", .named("limit"),
            "Records that could not become objects; a share is one of the entity's records.", default: 0,
            plan: .asRuns),
        DefinitionKey(
            "unresolved", .named("limit"),
            "References whose target does not exist; a share is one of the entity's references.", default: .null,
            plan: .asRuns),
        DefinitionKey(
            "duplicates", .named("limit"),
            "Records with the identifier of another one, from which they differ; a share is one of the entity's "
                + "records.", default: .null, plan: .asRuns),
        DefinitionKey(
            "updates", .named("limit"),
            "Objects that are updated; a share is one of the entity's objects before the run.", default: .null,
            plan: .asRuns),
        DefinitionKey(
            "deletes", .named("limit"),
            "Objects that are deleted; a share is one of the entity's objects before the run.", default: "10%",
            plan: .asRuns
        ),
        DefinitionKey(
            "records", .named("limit"),
            "The fewest records that each entity must have; a share is one of the records that the last run had "
                + "that succeeded. Default: 1, if that were 20 or more.", plan: .asRuns),
        DefinitionKey(
            "missing", .either([.whole(0), .null]),
            "Fields that the definition uses and no record has. Default: none of those that a tenth of the "
                + "records of the last succeeded run had, where there were 20 or more.", plan: .asRuns),
        DefinitionKey(
            "shape", .either([.whole(0), .null]),
            "Fields that hold a text, a number, a boolean or a list where the definition looks for what is in an "
                + "object or a list.", default: .null, plan: .asRuns),
        DefinitionKey(
            "type", .either([.whole(0), .null]),
            "Fields whose values have types of JSON that they did not have in the last succeeded run.",
            default: .null, plan: .asRuns),
    ]

    static let question: [DefinitionKey] = [
        DefinitionKey(
            "sql", .named("textOrTexts"),
            "One query in the store's own SQL, or a list of its lines. Each row of the answer is a flaw."),
        DefinitionKey(
            "entity", .text,
            "The entity of which the rows name objects: by columns that are called as the attributes of its identifier."
        ),
        DefinitionKey(
            "limit", .either([.whole(0), .null]), "How many rows it may have; null: any number.", default: 0),
        DefinitionKey(
            "severity", .words(of: QuestionReader.Severity.self),
            #"What becomes of a run with more rows than that: "error", it fails; "warning", it is told."#,
            default: "error"),
        DefinitionKey("timeout", .text, #"When it is given up, such as "30s" or "5m"."#, default: "60s"),
    ]

    static let archive: [DefinitionKey] = [
        DefinitionKey(
            "directory", .text, "The path of the directory, relative to the definition's folder, or s3://bucket/key."),
        DefinitionKey("keep", .whole(1), "How many feeds stay. Default: all."),
    ]

    static let ledger: [DefinitionKey] = [
        DefinitionKey(
            "keep", .either([.whole(1), .null]), "How many runs of this pipeline it knows; null: all.", default: 1000)
    ]

    static let history: [DefinitionKey] = [
        DefinitionKey(
            "keep", .either([.whole(1), .named("days")]),
            #"How much stays: a number of runs, or of days, such as "400 days". Default: all."#)
    ]

    static let seed: [DefinitionKey] = [
        DefinitionKey(
            "directory", .text,
            "The path of the folder of seeds, relative to the definition's folder, or s3://bucket/key."),
        DefinitionKey(
            "keep", .whole(1), "How many seeds before the newest stay, with a delta from each.", default: 7),
        DefinitionKey("level", .whole(1, to: 19), "How hard files are compressed.", default: 9),
        DefinitionKey(
            "sign", .text,
            "The path of an Ed25519 private key (PEM) that signs manifests, relative to the definition's "
                + "folder."),
    ]

    static let after: [DefinitionKey] = [
        DefinitionKey("succeeded", .named("hooks"), "After a run that succeeded."),
        DefinitionKey("failed", .named("hooks"), "After a run that failed."),
        DefinitionKey("unchanged", .named("hooks"), "After a run that found nothing new."),
        DefinitionKey("cancelled", .named("hooks"), "After a run that a signal ended."),
    ]

    static let hook: [DefinitionKey] = [
        DefinitionKey("run", .named("arguments"), "The program and its arguments; no shell sees them."),
        DefinitionKey(
            "per", .words(of: Hook.Per.self),
            #"How often it is started: once for the "run", or once for each "entity" that changed."#, default: "run"
        ),
        DefinitionKey("timeout", .text, #"When it is ended, such as "30s" or "5m"."#, default: "10m"),
    ]
}
