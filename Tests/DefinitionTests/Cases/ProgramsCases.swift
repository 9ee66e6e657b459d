/// What the cases say of entities that belong to programs.
extension DefinitionCase {
    private static func alone(_ entity: String, _ more: String = "") -> String {
        #"{ \#(more)"store": { "sqlite": "x" }, "entities": { "A": { "identifier": "id", \#(entity) } } }"#
    }

    private static let id = #""attributes": { "id": "text" }"#

    private static func about(_ key: String) -> String {
        #""\#(key)" is about records, and the entity "A" has no "records": its objects belong to programs"#
    }

    static let programs: [DefinitionCase] = [
        .valid(alone(id)),
        .valid(
            alone(
                #"""
                "attributes": { "id": { "type": "integer", "min": 0, "index": false }, "x": { "type": "decimal", "scale": 2,
                "as": "integer", "was": "y" }, "z": { "type": "integer", "oneOf": [1, 2] } }, "table": "a", "was": "B",
                "relationships": { "up": { "to": "A" }, "all": { "to": ["A"], "many": true, "was": "some" },
                "there": { "to": "Far", "across": true, "identifier": { "a": "text", "b": { "type": "integer" } } } }
                """#)),
        .valid(
            #"{ "store": { "sqlite": "x" }, "entities": { "A": { "identifier": "there", "relationships": { "there": { "to": "Far", "across": true, "identifier": { "a": "text" } } } } } }"#
        ),
        .valid(
            Definition.entities(
                #""Note": { "identifier": "id", "attributes": { "id": "text" }, "relationships": { "stop": { "to": "Stop" } } }"#
            )),
        .malformed(
            alone(#"\#(id), »"where": { "a": 1 }, »"absent": "delete", »"limits": { "rejects": 1 }"#), about("where"),
            about("absent"), about("limits")),
        .meaningless(
            alone(#""attributes": { "id": "text", "x": { "type": "text", »"from": "y", »"required": true } }"#),
            about("from"), about("required")),
        .meaningless(
            alone(#"\#(id), "relationships": { "up": { "to": "A", »"missing": "stub", »"onDelete": "cascade" } }"#),
            about("missing"), about("onDelete")),
        .meaningless(
            alone(id, #"»"archive": { "directory": "x" }, "#),
            #""archive" saves feeds, and the pipeline has no "source""#),
        .meaningless(
            alone(id, #"»"sources": { "a": { "file": "x" } }, "#),
            #"nothing is taken from "sources": no entity has "records", the path of its records"#),
        .malformed(
            #"»{ "store": { "sqlite": "x" }, "entities": { "A": { "identifier": "id", "records": "$", "attributes": { "id": "text" } } } }"#,
            #"the pipeline needs "source", or "sources""#),
        .malformed(
            alone(#"\#(id), "relationships": { "there": »{ "to": "Far", "across": true } }"#),
            #"the relationship "there" needs "identifier""#),
        .malformed(
            alone(#"\#(id), "relationships": { "there": { "to": »["Far"], "across": true, "identifier": »["a"] } }"#),
            #""to" must be the name of an entity, not a list"#, #""identifier" must be an object, not a list"#),
        .meaningless(
            alone(
                #"\#(id), "relationships": { "there": { "to": "Far", "across": true, "identifier": { "a": "text" }, »"many": true } }"#
            ),
            "a reference into another store has one target: for several, give each an object of an entity between"),
        .meaningless(
            alone(
                #"\#(id), "relationships": { "there": { "to": "Far", "across": true, "identifier": { "a": "text" }, »"missing": "null" } }"#
            ),
            #"with "across" there is no "missing": "identifier" says what identifies the target, and its types"#),
        .meaningless(
            alone(
                #""attributes": { "id": "text", "there_a": "text" }, "relationships": { »"there": { "to": "Far", "across": true, "identifier": { "a": "text", "b": "text" } } }"#
            ),
            #"the name "there_a", of a part of a reference into another store, is taken by the attribute "there_a" in line 1 (the case of letters does not count)"#
        ),
        .meaningless(
            Definition.relationship(#"{ "to": "Stop", »"across": true, "identifier": { "id": "text" } }"#),
            #""across" is for entities without "records": what is imported refers to objects of its own store"#),
        .meaningless(
            Definition.entities(
                #""Note": { "identifier": "id", "attributes": { "id": "text" } }, "B": { "records": "$", "identifier": "id", "attributes": { "id": "text" }, "relationships": { "note": { "to": »"Note" } } }"#
            ),
            #""Note" has no "records": its objects belong to programs, and what is imported cannot refer to them"#),
        .meaningless(
            Definition.entities(
                #""Note": { "identifier": "id", "attributes": { "id": "text" }, "relationships": { "any": »{ "to": ["Stop", "Line"] } } }"#
            ),
            #""Stop" is identified by one attribute (id), and "Line" is identified by 2 attributes (id, direction): the targets of one relationship have as many"#
        ),
        .meaningless(
            alone(
                #"\#(id), "relationships": { "there": { "to": "Far", "across": true, "identifier": { "a": { "type": "text", »"from": "x" }, "b": »"json" } } }"#
            ),
            #"a part of a target's identifier has a type, with its form, and no "from""#,
            "an attribute of the type json cannot identify anything"),
    ]
}
