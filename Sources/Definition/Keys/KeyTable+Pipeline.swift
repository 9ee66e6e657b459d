/// The keys of a pipeline, but for its sources and entities.
extension KeyTable {
    /// Of the whole file.
    static let pipeline: [DefinitionKey] = [
        DefinitionKey("$schema", "For editors: the address of this schema.", plan: .asRuns),
        DefinitionKey(
            "name",
            "The pipeline's name in reports and in the run ledger. Default: the file's name without its ending.",
            plan: .asRuns),
        DefinitionKey("source", #"Where the feed comes from. The source is called "main"."#, plan: .asRuns),
        DefinitionKey("sources", "Several sources, by name.", plan: .asRuns),
        DefinitionKey("store", "Where the objects go.", plan: .asRuns),
        DefinitionKey(
            "batchSize",
            "How many records are created, saved and forgotten together, at the most. A batch also ends at 16 "
                + "MiB.", plan: .asRuns),
        DefinitionKey(
            "commit",
            #"When changes become visible: "run", all or nothing at the end of the run; "batch", every batch is "#
                + #"saved for good."#, plan: .asRuns),
        DefinitionKey(
            "limits", "How many findings a run may have and still succeed, and how few records.", plan: .asRuns),
        DefinitionKey(
            "checks",
            "What a run asks its store before it saves, by name: queries whose rows are flaws that only all data shows.",
            plan: .refused("a plan asks no checks")),
        DefinitionKey(
            "archive", "Saves each run's feed, compressed, for replay.", plan: .refused("a plan saves no feeds")),
        DefinitionKey(
            "ledger",
            "What the store remembers of its runs.", plan: .refused("the runner's --keep says how many versions stay")),
        DefinitionKey(
            "changes",
            "Of how many runs the store keeps which objects they have changed, for programs.",
            plan: .refused("a plan notes no changes")),
        DefinitionKey(
            "fingerprints",
            "Whether a run leaves fingerprints of its feeds beside the store, so that the next one reads only what has "
                + "changed.", plan: .asRuns),
        DefinitionKey(
            "history",
            "Whether the store keeps what its objects were before a run changed or deleted them.",
            plan: .refused("a plan keeps no history: its versions are")),
        DefinitionKey(
            "findings",
            "A file to which every run writes all its findings (NDJSON), relative to the definition's folder, or s3://bucket/key.",
            plan: .asRuns),
        DefinitionKey(
            "after",
            "Commands that are started when a run has ended, by how it ended.",
            plan: .refused("a plan starts no commands")),
        DefinitionKey(
            "views",
            "Whether the store has a view for each entity, with what identifies the targets of its references.",
            plan: .refused("a plan makes no views")),
        DefinitionKey(
            "names",
            #"How the store calls tables and columns: "as_written", or "snake_case", stop_time for StopTime."#,
            plan: .refused("its tables and columns are called as the definition has them")),
        DefinitionKey(
            "seed", "How sluice seed build publishes the store.", plan: .refused("a plan's state is not a store")),
        DefinitionKey(
            "bases",
            #"What entities have in common, by name: keys of an entity. They are no entities themselves, see "#
                + #""like"."#, plan: .asRuns),
        DefinitionKey("entities", "The types of objects, by name. Each is one table.", plan: .asRuns),
    ]

    static let store: [DefinitionKey] = [
        DefinitionKey("sqlite", "The path of the SQLite database, relative to the definition's folder.", plan: .asRuns),
        DefinitionKey("postgresql", "A schema of a PostgreSQL database.", plan: .asRuns),
    ]

    /// Of a store on a server.
    static let postgresql: [DefinitionKey] = [
        DefinitionKey(
            "database", "Where the database is: a URI or keywords as libpq knows them, without a password.",
            plan: .asRuns),
        DefinitionKey("schema", "The schema. Default: the pipeline's name.", plan: .asRuns),
        DefinitionKey("password", "The password: a file that only its owner may read, or a variable.", plan: .asRuns),
        DefinitionKey(
            "tls", "How much of TLS is asked for. Default: verify-full for hosts, none for sockets of this machine.",
            plan: .asRuns),
        DefinitionKey(
            "certificates", "The path of the certificates of those who vouch for the server's.", plan: .asRuns),
        DefinitionKey("foreignKeys", "Whether references are declared as foreign keys.", plan: .asRuns),
    ]

    static let limits: [DefinitionKey] = [
        DefinitionKey(
            "rejects", "Records that could not become objects; a share is one of the entity's records.", plan: .asRuns),
        DefinitionKey(
            "unresolved", "References whose target does not exist; a share is one of the entity's references.",
            plan: .asRuns),
        DefinitionKey(
            "duplicates",
            "Records with the identifier of another one, from which they differ; a share is one of the entity's "
                + "records.", plan: .asRuns),
        DefinitionKey(
            "deletes", "Objects that are deleted; a share is one of the entity's objects before the run.", plan: .asRuns
        ),
        DefinitionKey(
            "records",
            "The fewest records that each entity must have; a share is one of the records that the last run had "
                + "that succeeded. Default: 1, if that were 20 or more.", plan: .asRuns),
        DefinitionKey(
            "missing",
            "Fields that the definition uses and no record has. Default: none of those that a tenth of the "
                + "records of the last succeeded run had, where there were 20 or more.", plan: .asRuns),
    ]

    static let question: [DefinitionKey] = [
        DefinitionKey(
            "sql", "One query in the store's own SQL, or a list of its lines. Each row of the answer is a flaw."),
        DefinitionKey(
            "entity",
            "The entity of which the rows name objects: by columns that are called as the attributes of its identifier."
        ),
        DefinitionKey("limit", "How many rows it may have; null: any number."),
        DefinitionKey(
            "severity", #"What becomes of a run with more rows than that: "error", it fails; "warning", it is told."#),
        DefinitionKey("timeout", #"When it is given up, such as "30s" or "5m"."#),
    ]

    static let archive: [DefinitionKey] = [
        DefinitionKey(
            "directory", "The path of the directory, relative to the definition's folder, or s3://bucket/key."),
        DefinitionKey("keep", "How many feeds stay. Default: all."),
    ]

    static let ledger: [DefinitionKey] = [
        DefinitionKey("keep", "How many runs of this pipeline it knows; null: all.")
    ]

    static let history: [DefinitionKey] = [
        DefinitionKey("keep", #"How much stays: a number of runs, or of days, such as "400 days". Default: all."#)
    ]

    static let seed: [DefinitionKey] = [
        DefinitionKey(
            "directory", "The path of the folder of seeds, relative to the definition's folder, or s3://bucket/key."),
        DefinitionKey("keep", "How many seeds before the newest stay, with a delta from each."),
        DefinitionKey("level", "How hard files are compressed."),
        DefinitionKey(
            "sign",
            "The path of an Ed25519 private key (PEM) that signs manifests, relative to the definition's "
                + "folder."),
    ]

    static let after: [DefinitionKey] = [
        DefinitionKey("succeeded", "After a run that succeeded."),
        DefinitionKey("failed", "After a run that failed."),
        DefinitionKey("unchanged", "After a run that found nothing new."),
        DefinitionKey("cancelled", "After a run that a signal ended."),
    ]

    static let hook: [DefinitionKey] = [
        DefinitionKey("run", "The program and its arguments; no shell sees them."),
        DefinitionKey("per", #"How often it is started: once for the "run", or once for each "entity" that changed."#),
        DefinitionKey("timeout", #"When it is ended, such as "30s" or "5m"."#),
    ]
}
