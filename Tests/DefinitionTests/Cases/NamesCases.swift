/// What the cases say of names.
extension DefinitionCase {
    static let names: [DefinitionCase] = [
        .valid(Definition.attributes(#""größe \" '": "text", "ГОСТ": "text", "гост": "text""#)),
        .malformed(
            Definition.attributes(#"»"": "text""#),
            #""" is empty, and no name"#),
        .meaningless(
            Definition.attributes(#"»"a\u0000b": "text""#),
            #""a\u{0}b" holds a NUL, which no name can"#),
        .meaningless(
            Definition.attributes(
                #"»"ObjectID": "text", »"DELETED_AT": "text", »"sluice_x": "text", »"SQLite_y": "text""#),
            #""ObjectID" is a name that the store needs for itself"#,
            #""DELETED_AT" is a name that the store needs for itself"#,
            #""sluice_x" starts with sluice_: such names are reserved"#,
            #""SQLite_y" starts with sqlite_: such names are reserved"#),
        .valid(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": "$", "identifier": ["id", "k"], "attributes": { "id": "text", "k": "text", "up_k": "text" }, "relationships": { "up": { "to": "A", "identifier": ["a", "b"] } } }, "a_VIEW": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#
        ),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "views": true, "entities": { "A": { "records": "$", "identifier": ["id", "k"], "attributes": { "id": "text", "k": "text", "up_k": "text" }, "relationships": { »"up": { "to": "A", "identifier": ["a", "b"] } } }, »"a_VIEW": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #"the name "up_k", of a column of the view for the relationship "up", is taken by the attribute "up_k" in line 1 (the case of letters does not count)"#,
            #"the name "a_VIEW", of the table of "a_VIEW", is taken by the view of "A" in line 1 (the case of letters does not count)"#
        ),
        .meaningless(
            Definition.attributes(#""name": "text", »"NAME": "text""#),
            #"the name "NAME", of the attribute "NAME", is taken by the attribute "name" in line 9 (the case of letters does not count)"#
        ),
        .meaningless(
            Definition.attributes(#""name": "text", »"name": "text""#),
            #"the key "name" is repeated in "attributes""#),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text", "to_entity": "text" }, "relationships": { »"to": { "to": ["A", "B"] } } }, "B": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #"the name "to_entity", of the entity column of the relationship "to", is taken by the attribute "to_entity" in line 1 (the case of letters does not count)"#
        ),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text", "to": "text" }, "relationships": { »"to": { "to": "A" } } } } }"#,
            #"the name "to", of the relationship "to", is taken by the attribute "to" in line 1 (the case of letters does not count)"#
        ),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text", "tags": "json" }, "relationships": { »"Tags": { "to": "A", "many": true } } } } }"#,
            #"the name "Tags", of the relationship "Tags", is taken by the attribute "tags" in line 1 (the case of letters does not count)"#
        ),
        .malformed(
            Definition.entities(#"»"": #"#),
            #""" is empty, and no name"#),
        .meaningless(
            Definition.entities(#"»"sqlite_a": #, »"objectid": #"#),
            #""sqlite_a" starts with sqlite_: such names are reserved"#,
            #""objectid" is a name that the store needs for itself"#),
        .meaningless(
            Definition.entities(#"»"stop": #"#),
            #"the name "stop", of the table of "stop", is taken by the table of "Stop" in line 5 (the case of letters does not count)"#
        ),
        .meaningless(
            Definition.entities(
                #""Halt": { "table": »"place", "records": "$", "identifier": "id", "attributes": { "id": "text" } }"#),
            #"the name "place", of the table of "Halt", is taken by the table of "Place" in line 17 (the case of letters does not count)"#
        ),
        .meaningless(
            Definition.entities(
                #""Halt": { "table": »"sluice_halt", "records": "$", "identifier": "id", "attributes": { "id": "text" } }"#
            ),
            #""sluice_halt" starts with sluice_: such names are reserved"#),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" }, "relationships": { »"tags": { "to": "A", "many": true } } }, "a_TAGS": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #"the name "A_tags", of the link table of "A" and "tags", is taken by the table of "a_TAGS" in line 1 (the case of letters does not count)"#
        ),
        .valid(
            Definition.entities(
                #""stop": { "table": "halt", "records": "$", "identifier": "id", "attributes": { "id": "text" } }"#)),
        .meaningless(
            Definition.entities(
                #""A": { "was": "B", "records": "$", "identifier": "id", "attributes": { "id": "text" } }, "C": { "was": [»"B", »"Stop"], "records": "$", "identifier": "id", "attributes": { "id": "text" } }"#
            ),
            #""B" is the earlier name of two: it can be of one"#,
            #""Stop" is the present name of an entity: it cannot be an earlier one"#),
        .meaningless(
            Definition.entities(
                #""sqlite": { "records": "$", "identifier": "id", "attributes": { "id": "text" }, "relationships": { »"stops": { "to": "Stop", "many": true } } }"#
            ),
            #""sqlite_stops" starts with sqlite_: such names are reserved"#),
        .valid(snake(#""fooBar": "text", "ObjectID": "text""#)),
        .malformed(
            snake("").replacing(#""snake_case""#, with: #"»"camelCase""#),
            #""names" must be "as_written" or "snake_case", not the text "camelCase""#),
        .meaningless(
            snake(
                #""fooBar": "text", »"foo_bar": "text", »"Foo-bar": "text", »"deletedAt": "text", »"sluiceX": "text""#),
            #"the name "foo_bar", of the attribute "foo_bar", is taken by the attribute "fooBar" in line 1 (the case of letters does not count)"#,
            #"the name "foo_bar", of the attribute "Foo-bar", is taken by the attribute "fooBar" in line 1 (the case of letters does not count)"#,
            #""deleted_at" is a name that the store needs for itself"#,
            #""sluice_x" starts with sluice_: such names are reserved"#),
        .meaningless(
            snake(
                "",
                #", »"parent_stop": { "to": "StopTime" }, »»"toMany": { "to": "StopTime", "many": true, "from": "x[*].id", "with": { "targetEntity": { "type": "text" }, "share": { "type": "text" }, "Share": { "type": "text" } } }"#,
                #", »"stop_time": { "records": "$", "identifier": "id", "attributes": { "id": "text" } }"#),
            #"the name "parent_stop", of the relationship "parent_stop", is taken by the relationship "parentStop" in line 1 (the case of letters does not count)"#,
            #"the name "target_entity", of "targetEntity" in "with", is taken by a column that every table of links has in line 1 (the case of letters does not count)"#,
            #"the name "share", of "Share" in "with", is taken by "share" in "with" in line 1 (the case of letters does not count)"#,
            #"the name "stop_time", of the table of "stop_time", is taken by the table of "StopTime" in line 1 (the case of letters does not count)"#
        ),
        .meaningless(
            snake(#"»"*": "*""#), #""*" takes members as the feed calls them: not with "names": "snake_case""#),
    ]

    /// With `names`.
    private static func snake(_ attributes: String, _ relationships: String = "", _ entities: String = "") -> String {
        #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "names": "snake_case", "entities": { "StopTime": { "records": "$", "identifier": "id", "attributes": { "id": "text", "stopName": "text""#
            + (attributes.isEmpty ? "" : ", ") + attributes
            + #" }, "relationships": { "parentStop": { "to": "StopTime" }"# + relationships + " } }" + entities + " } }"
    }
}
