import SluiceRecords

/// The keys of entities and relationships.
extension KeyTable {
    static let entity: [DefinitionKey] = [
        DefinitionKey(
            "source", .named("textOrTexts"),
            "The source with its records, or a list of sources. Default: the only one.", plan: .asRuns, effect: .onStore
        ),
        DefinitionKey(
            "records", .either([.named("recordsPath"), .list(.named("recordsPath"))]),
            #"The path of its records, from the top of the feed: "$.stops[*]"; or a list of paths. Without it, "#
                + #"its objects are stubs, where relationships make some, or else belong to programs."#, plan: .asRuns),
        DefinitionKey(
            "where", .named("conditions"),
            #"Takes only some records: what each must have at a path, a value, a list of values, or a condition "#
                + #"such as {">=": 5}; and "any", "all" and "not" of further conditions."#, plan: .asRuns),
        DefinitionKey(
            "deleteWhere", .named("conditions"),
            #"Like "where": a record that says that its object is gone. The object is deleted, or marked, as "#
                + #""absent" says."#, plan: .refused("records that say that their object is gone are not planned")),
        DefinitionKey(
            "identifier", .named("textOrTexts"),
            "The attribute that names an object in the outside world, or a list of those that do so together; "
                + "to-one relationships may be among them.", plan: .asRuns, of: [.columns, .bases]),
        DefinitionKey(
            "attributes", .named("attributesByName"),
            #"The typed columns, by name; "*": a column for each member of the records that is a scalar."#,
            plan: .asRuns, of: [.columns, .bases]),
        DefinitionKey(
            "relationships", .named("relationshipsByName"), "The references to other entities, by name.", plan: .asRuns,
            of: [.records, .programs, .bases]),
        DefinitionKey(
            "table", .text, "The table's name. Default: the entity's name.", plan: .asRuns, effect: .onStore,
            of: .columns),
        DefinitionKey(
            "was", .named("textOrTexts"), "Earlier names: what the store has under one of them is renamed.",
            plan: .refused(renaming), effect: .onStore, of: .columns),
        DefinitionKey(
            "mode", .words(of: Entity.Mode.self),
            #""upsert": create or update objects; "insert": never change one that existed before the run; "#
                + #""update": never create one."#, default: "upsert", plan: .asRuns),
        DefinitionKey(
            "duplicates", .words(of: Entity.Duplicates.self),
            #"When a feed holds one identifier twice: "last", the later record is applied like a later run's; "#
                + #""first", later records are ignored; "reject", later records are rejects."#, default: "last",
            plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "repeats", .flag,
            "Whether records tell the same objects again and again: then identical duplicates are counted, and "
                + "are no findings.", default: false, plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "absent", .words(of: Entity.Absent.self),
            #"What becomes of objects of the store that the feed does not hold: "keep", "delete", or "mark" in a "#
                + #"column deleted_at."#, default: "keep", plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "onAbsent", .words(of: Entity.AbsentValues.self),
            #"What a record without a value does to an existing object, where an attribute or a relationship of "#
                + #"the entity says nothing itself: "keep" what is stored, or "clear" it. Default: as the "onAbsent" "#
                + #"of the pipeline says."#,
            plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "within", .text,
            #"With "absent": only objects whose target by this relationship had a record in the feed count as "#
                + #"absent."#, plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "ignore", .named("textOrTexts"),
            #"Fields that records may have though nothing uses them, they and all that is in them: paths from "#
                + #"the record, "*" for all."#, plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "limits", .named("limits"), "The limits of this entity alone, instead of those of the pipeline.",
            plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "like", .text,
            "A base, or another entity, of which it has all keys that it does not give itself; attributes and "
                + "relationships one by one, without those that are null here.", plan: .asRuns),
        DefinitionKey(
            "kind", .text,
            #"The path of the value that tells of which entity a record is: only those are taken for which it is "#
                + #"what "is" says."#, plan: .asRuns),
        DefinitionKey(
            "is", .named("conditionValue"),
            #"With "kind": the value in this entity's records, or a list of values. Default: the entity's name."#,
            plan: .asRuns, of: .records),
        DefinitionKey(
            "except", .named("textOrTexts"),
            #"With "attributes": "*": the names of members that are no columns."#, plan: .refused(attributesByName)),
        DefinitionKey(
            "drift", .words(of: OpenAttributes.Drift.self),
            #"With "attributes": "*": whether members that come later are told as drift, or added as columns."#,
            default: "tell",
            plan: .refused(attributesByName), effect: .onStore),
        DefinitionKey(
            "orphans", .words(of: Entity.Orphans.self),
            #"What becomes of stubs that nothing refers to any more: "keep", or "delete"."#, default: "keep",
            plan: .asRuns, effect: .onStore, of: [.records, .stubs, .bases]),
        DefinitionKey(
            "edits", .words(of: Entity.Edits.self),
            #"What becomes of attributes that programs have changed: "replace", "keep", or "reject"."#,
            default: "replace",
            plan: .refused("no program changes what a plan makes")),
        DefinitionKey(
            "history", .flag,
            #"Whether the store keeps the past of this entity; default: as the "history" of the pipeline says."#,
            plan: .refused("a plan keeps no history: its versions are"), effect: .onStore),
        DefinitionKey(
            "search", .named("search"), "How objects are found by words of their texts.",
            plan: .refused("a plan makes no tables for searches"), effect: .onStore, of: [.columns, .bases]),
        DefinitionKey(
            "near", .named("twoTexts"),
            "The attributes with the degrees of latitude and longitude, by which objects are found near a place.",
            plan: .refused("a plan makes no tables for searches"), effect: .onStore, of: [.columns, .bases]),
    ]

    static let search: [DefinitionKey] = [
        DefinitionKey(
            "fields", .named("textOrTexts"),
            "The attribute whose words are searched, or a list of attributes, of the type text."),
        DefinitionKey(
            "tokenize", .text,
            #"What makes words of texts, as FTS5 of SQLite takes it. Default: "unicode61 remove_diacritics 2"."#,
            default: "unicode61 remove_diacritics 2"),
        DefinitionKey(
            "prefix", .named("prefixLengths"),
            "Of how many letters the beginnings of words are that have an index of their own. Default: 2 and 3.",
            default: .wholes([2, 3])),
    ]

    static let condition: [DefinitionKey] = [
        DefinitionKey("present", .flag, "Whether the value must be there (null is), or must be absent.", plan: .asRuns),
        DefinitionKey(
            "type", .either([.named("jsonType"), .list(.named("jsonType"))]),
            "The type of the value in the feed, or a list of types.", plan: .asRuns),
        DefinitionKey("<", .named("textOrNumber"), "The value is less than this.", plan: .asRuns),
        DefinitionKey("<=", .named("textOrNumber"), "The value is this or less.", plan: .asRuns),
        DefinitionKey(">", .named("textOrNumber"), "The value is greater than this.", plan: .asRuns),
        DefinitionKey(">=", .named("textOrNumber"), "The value is this or greater.", plan: .asRuns),
        DefinitionKey(
            "match", .text, "A regular expression (PCRE2) that matches somewhere in the text.", plan: .asRuns),
        DefinitionKey(
            "not", .named("conditionValue"), "What the value must not be: a value, a condition, or a list of them.",
            plan: .asRuns),
    ]

    static let relationship = target + reference.map { $0.name == "with" ? linkValues : $0 } + ofRelationships

    /// Of a way to find a target, which has the name of an entity besides.
    static let way =
        reference + [
            DefinitionKey(
                "identifier", .list(.named("namedValue")),
                #"Instead of "from", for several attributes: a value for each of them, in their order. Null if any is "#
                    + "null.")
        ]

    /// Of a value that refers: it is no document.
    private static let reference = value.map { $0.name == "default" ? $0.with(form: .named("scalar")) : $0 }

    private static let linkValues = DefinitionKey(
        "with", .either([.string, .byName(.named("linkValue"))]),
        #"With "many": what each link has of its own, columns of its table, by name. A text: what "join" puts between "#
            + "the values.", plan: .asRuns)

    /// What a relationship leads to.
    static let target: [DefinitionKey] = [
        DefinitionKey(
            "to", .either([.named("textOrTexts"), .named("way"), .list(.named("way"))]),
            "The entity that it refers to; or a list of entities, of which each reference has one; or a way to "
                + "find the target, or a list of ways, of which the first that finds one counts.", plan: .asRuns,
            of: [.records, .programs, .across]),
        DefinitionKey(
            "by", .named("textOrTexts"),
            "The attribute of the target whose value this is, or a list of attributes. Where several objects "
                + "have it, none is found. Default: the target's identifier.", plan: .refused(identifiersOnly)),
    ]

    /// What only relationships have.
    static let ofRelationships: [DefinitionKey] = [
        DefinitionKey(
            "identifier", .either([.list(.named("namedValue")), .byName(.named("attribute"))]),
            #"Instead of "from", for a target that several attributes identify: a value for each of them, in "#
                + #"their order. Null if any is null. With "across": the attributes that identify the target, with "#
                + #"their types."#, plan: .asRuns, of: [.records, .across]),
        DefinitionKey(
            "many", .flag, "An object may refer to several targets; paths may match several values.", default: false,
            plan: .asRuns, of: [.records, .programs]),
        DefinitionKey(
            "set", .flag,
            #"With "many": whether a target that a record names twice counts once; else the links are a list."#,
            default: true,
            plan: .refused("links are a set in a plan")),
        DefinitionKey(
            "across", .flag,
            #"Only of entities without "records": the target is in another store; the columns hold its "#
                + #"identifier."#, default: false, plan: .refused("objects of programs are not planned"),
            of: [.records, .programs, .across]),
        DefinitionKey(
            "entity", .named("namedValue"),
            #"With several entities in "to": a value that names the target's entity, often with a "map". "#
                + #"Default: the target is looked for in the entities of "to", in their order."#, plan: .asRuns),
        DefinitionKey(
            "missing", .words(of: Relationship.Missing.self),
            #"When the target does not exist after all feeds are read: "null", the reference waits for a later "#
                + #"run; "stub", the target is created with just its identifier; "reject", the record is a reject."#,
            default: "null",
            plan: .asRuns),
        DefinitionKey(
            "stub", .byName(.named("value")),
            #"With "missing": "stub": attributes of the target, with what the record says of them."#,
            plan: .refused("stubs have just their identifiers in a plan")),
        DefinitionKey(
            "onDelete", .words(of: Relationship.OnDelete.self),
            #"When the target is deleted: "nullify" the reference, or "cascade" to the object that refers."#,
            default: "nullify",
            plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "onAbsent", .words(of: Relationship.OnAbsent.self),
            #"What a record without a value does to the references of an existing object: "keep" them, or "#
                + #""clear" them."#, default: "keep", plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "was", .named("textOrTexts"), "Earlier names: what the store has under one of them is renamed.",
            plan: .refused(renaming), effect: .onStore, of: [.records, .programs, .across]),
    ]
}
