/// The keys of entities and relationships.
extension KeyTable {
    static let entity: [DefinitionKey] = [
        DefinitionKey(
            "source", "The source with its records, or a list of sources. Default: the only one.", plan: .asRuns),
        DefinitionKey(
            "records",
            #"The path of its records, from the top of the feed: "$.stops[*]"; or a list of paths. Without it, "#
                + #"its objects are stubs, where relationships make some, or else belong to programs."#, plan: .asRuns),
        DefinitionKey(
            "where",
            #"Takes only some records: what each must have at a path, a value, a list of values, or a condition "#
                + #"such as {">=": 5}; and "any", "all" and "not" of further conditions."#, plan: .asRuns),
        DefinitionKey(
            "deleteWhere",
            #"Like "where": a record that says that its object is gone. The object is deleted, or marked, as "#
                + #""absent" says."#, plan: .refused("records that say that their object is gone are not planned")),
        DefinitionKey(
            "identifier",
            "The attribute that names an object in the outside world, or a list of those that do so together; "
                + "to-one relationships may be among them.", plan: .asRuns),
        DefinitionKey(
            "attributes",
            #"The typed columns, by name; "*": a column for each member of the records that is a scalar."#,
            plan: .asRuns),
        DefinitionKey("relationships", "The references to other entities, by name.", plan: .asRuns),
        DefinitionKey("table", "The table's name. Default: the entity's name.", plan: .asRuns),
        DefinitionKey(
            "was", "Earlier names: what the store has under one of them is renamed.", plan: .refused(renaming)),
        DefinitionKey(
            "mode",
            #""upsert": create or update objects; "insert": never change one that existed before the run; "#
                + #""update": never create one."#, plan: .asRuns),
        DefinitionKey(
            "duplicates",
            #"When a feed holds one identifier twice: "last", the later record is applied like a later run's; "#
                + #""first", later records are ignored; "reject", later records are rejects."#, plan: .asRuns),
        DefinitionKey(
            "repeats",
            "Whether records tell the same objects again and again: then identical duplicates are counted, and "
                + "are no findings.", plan: .asRuns),
        DefinitionKey(
            "absent",
            #"What becomes of objects of the store that the feed does not hold: "keep", "delete", or "mark" in a "#
                + #"column deleted_at."#, plan: .asRuns),
        DefinitionKey(
            "within",
            #"With "absent": only objects whose target by this relationship had a record in the feed count as "#
                + #"absent."#, plan: .asRuns),
        DefinitionKey(
            "ignore",
            #"Fields that records may have though nothing uses them, they and all that is in them: paths from "#
                + #"the record, "*" for all."#, plan: .asRuns),
        DefinitionKey("limits", "The limits of this entity alone, instead of those of the pipeline.", plan: .asRuns),
        DefinitionKey(
            "like",
            "A base, or another entity, of which it has all keys that it does not give itself; attributes and "
                + "relationships one by one, without those that are null here.", plan: .asRuns),
        DefinitionKey(
            "kind",
            #"The path of the value that tells of which entity a record is: only those are taken for which it is "#
                + #"what "is" says."#, plan: .asRuns),
        DefinitionKey(
            "is",
            #"With "kind": the value in this entity's records, or a list of values. Default: the entity's name."#,
            plan: .asRuns),
        DefinitionKey(
            "except",
            #"With "attributes": "*": the names of members that are no columns."#, plan: .refused(attributesByName)),
        DefinitionKey(
            "drift",
            #"With "attributes": "*": whether members that come later are told as drift, or added as columns."#,
            plan: .refused(attributesByName)),
        DefinitionKey(
            "orphans", #"What becomes of stubs that nothing refers to any more: "keep", or "delete"."#, plan: .asRuns),
        DefinitionKey(
            "edits",
            #"What becomes of attributes that programs have changed: "replace", "keep", or "reject"."#,
            plan: .refused("no program changes what a plan makes")),
        DefinitionKey(
            "history",
            #"Whether the store keeps the past of this entity; default: as the "history" of the pipeline says."#,
            plan: .refused("a plan keeps no history: its versions are")),
        DefinitionKey(
            "search", "How objects are found by words of their texts.",
            plan: .refused("a plan makes no tables for searches")),
        DefinitionKey(
            "near",
            "The attributes with the degrees of latitude and longitude, by which objects are found near a place.",
            plan: .refused("a plan makes no tables for searches")),
    ]

    static let search: [DefinitionKey] = [
        DefinitionKey("fields", "The attribute whose words are searched, or a list of attributes, of the type text."),
        DefinitionKey(
            "tokenize",
            #"What makes words of texts, as FTS5 of SQLite takes it. Default: "unicode61 remove_diacritics 2"."#),
        DefinitionKey(
            "prefix",
            "Of how many letters the beginnings of words are that have an index of their own. Default: 2 and 3."),
    ]

    static let condition: [DefinitionKey] = [
        DefinitionKey("present", "Whether the value must be there (null is), or must be absent.", plan: .asRuns),
        DefinitionKey("type", "The type of the value in the feed, or a list of types.", plan: .asRuns),
        DefinitionKey("<", "The value is less than this.", plan: .asRuns),
        DefinitionKey("<=", "The value is this or less.", plan: .asRuns),
        DefinitionKey(">", "The value is greater than this.", plan: .asRuns),
        DefinitionKey(">=", "The value is this or greater.", plan: .asRuns),
        DefinitionKey("match", "A regular expression (PCRE2) that matches somewhere in the text.", plan: .asRuns),
        DefinitionKey("not", "What the value must not be: a value, a condition, or a list of them.", plan: .asRuns),
    ]

    static let relationship = target + value.map { $0.name == "with" ? linkValues : $0 } + ofRelationships

    private static let linkValues = DefinitionKey(
        "with",
        #"With "many": what each link has of its own, columns of its table, by name. A text: what "join" puts between "#
            + "the values.", plan: .asRuns)

    /// What a relationship leads to.
    static let target: [DefinitionKey] = [
        DefinitionKey(
            "to",
            "The entity that it refers to; or a list of entities, of which each reference has one; or a way to "
                + "find the target, or a list of ways, of which the first that finds one counts.", plan: .asRuns),
        DefinitionKey(
            "by",
            "The attribute of the target whose value this is, or a list of attributes. Where several objects "
                + "have it, none is found. Default: the target's identifier.", plan: .refused(identifiersOnly)),
    ]

    /// What only relationships have.
    static let ofRelationships: [DefinitionKey] = [
        DefinitionKey(
            "identifier",
            #"Instead of "from", for a target that several attributes identify: a value for each of them, in "#
                + #"their order. Null if any is null. With "across": the attributes that identify the target, with "#
                + #"their types."#, plan: .asRuns),
        DefinitionKey("many", "An object may refer to several targets; paths may match several values.", plan: .asRuns),
        DefinitionKey(
            "set",
            #"With "many": whether a target that a record names twice counts once; else the links are a list."#,
            plan: .refused("links are a set in a plan")),
        DefinitionKey(
            "across",
            #"Only of entities without "records": the target is in another store; the columns hold its "#
                + #"identifier."#, plan: .refused("objects of programs are not planned")),
        DefinitionKey(
            "entity",
            #"With several entities in "to": a value that names the target's entity, often with a "map". "#
                + #"Default: the target is looked for in the entities of "to", in their order."#, plan: .asRuns),
        DefinitionKey(
            "missing",
            #"When the target does not exist after all feeds are read: "null", the reference waits for a later "#
                + #"run; "stub", the target is created with just its identifier; "reject", the record is a reject."#,
            plan: .asRuns),
        DefinitionKey(
            "stub",
            #"With "missing": "stub": attributes of the target, with what the record says of them."#,
            plan: .refused("stubs have just their identifiers in a plan")),
        DefinitionKey(
            "onDelete",
            #"When the target is deleted: "nullify" the reference, or "cascade" to the object that refers."#,
            plan: .asRuns),
        DefinitionKey(
            "onAbsent",
            #"What a record without a value does to the references of an existing object: "keep" them, or "#
                + #""clear" them."#, plan: .asRuns),
        DefinitionKey(
            "was", "Earlier names: what the store has under one of them is renamed.", plan: .refused(renaming)),
    ]
}
