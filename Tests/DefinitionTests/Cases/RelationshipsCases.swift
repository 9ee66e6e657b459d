/// What the cases say of relationships.
extension DefinitionCase {
    static let relationships: [DefinitionCase] = [
        .valid(Definition.relationship(#"{ "to": "Stop" }"#)),
        .valid(
            Definition.relationship(
                #"{ "to": "Stop", "from": { "from": "stop", "trim": true }, "missing": "reject", "onDelete": "cascade", "was": ["v", "y"] }"#
            )),
        .valid(Definition.relationship(#"{ "to": "Stop", "many": true, "from": "tags[*]", "onAbsent": "clear" }"#)),
        .valid(Definition.relationship(#"{ "to": "Stop", "default": null, "onAbsent": "keep" }"#)),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", "onAbsent": »"null" }"#),
            #""onAbsent" must be "keep" or "clear", not the text "null""#),
        .meaningless(
            Definition.relationship(#"{ "to": "Stop", "default": "x", »"onAbsent": "clear" }"#),
            #"with a "default" nothing is absent: "onAbsent" has no effect"#),
        .valid(Definition.relationship(#"{ "to": "Stop", "many": true, "split": ",", "missing": "stub" }"#)),
        .valid(
            Definition.relationship(#"{ "to": "Stop", "many": true, "from": [{ "from": "a", "split": "," }, "b..c"] }"#)
        ),
        .valid(
            Definition.relationship(
                #"{ "to": "Line", "identifier": ["line", { "from": "direction", "map": { "out": 1, "back": 2 } }] }"#)),
        .valid(
            Definition.relationship(
                #"{ "to": ["Stop", "Place"], "from": "id", "entity": { "from": "kind", "map": { "s": "Stop", "p": "Place", "*": null } }, "missing": "stub" }"#
            )),
        .valid(
            Definition.relationship(
                #"{ "to": ["Stop", "Place"], "many": true, "from": "x[*].id", "entity": "x[*].kind" }"#)),
        .valid(Definition.relationship(#"{ "to": ["Stop", "Place"] }"#)),
        .valid(Definition.relationship(#"{ "to": ["Place"] }"#)),
        .valid(
            Definition.relationship(
                #"{ "to": "Stop", "many": true, "from": "x[*].id", "set": false, "with": { "role": "role", "n": { "type": "integer", "from": "^^.n", "required": true, "min": 1 }, "i": { "type": "integer", "from": "~" } } }"#
            )),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", »"stub": { "x": "y" } }"#), #""stub" needs "missing": "stub""#),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", "missing": "stub", "stub": »{} }"#),
            #""stub" names attributes of the target: it cannot be empty"#),
        .meaningless(
            Definition.relationship(#"{ "to": "Stop", "missing": "stub", "stub": { »"id": "y" } }"#),
            "the reference itself says what identifies its target"),
        .meaningless(
            Definition.relationship(
                #"{ "to": ["Stop", "Place"], "from": "x", "entity": "y", "missing": "stub", »"stub": { "name": "y" } }"#
            ),
            #""stub" is about one entity: "to" has several"#),
        .valid(
            Definition.relationship(
                #"{ "to": "Line", "many": true, "identifier": ["x[*].a", "x[*].b"], "with": { "role": "role" } }"#)),
        .valid(
            Definition.relationship(
                #"{ "many": true, "to": [{ "Stop": "id", "from": "x[*].a" }], "with": { "role": "role" } }"#)),
        .valid(
            Definition.relationship(
                #"{ "to": "Stop", "many": true, "from": { "join": ["x[*].a", "x[*].b"], "with": "-" }, "with": { "role": "$.name" } }"#
            )),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", »"with": { "role": "role" } }"#), #""with" needs "many": true"#),
        .malformed(Definition.relationship(#"{ "to": "Stop", »"set": false }"#), #""set" needs "many": true"#),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", "many": true, "from": "x[*].id", "with": »{} }"#),
            #""with" names what each link has: it cannot be empty"#),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", "many": true, "from": "x[*].id", "with": { "d": »"date" } }"#),
            #""date" is a type: say { "type": "date" }; a member of that name is { "type": …, "from": "date" }"#),
        .malformed(
            Definition.relationship(
                #"{ "to": "Stop", "many": true, "from": "x[*].id", "with": { "d": { "type": "text", »"index": true } } }"#
            ),
            #"unknown key "index" in the attribute "d"; allowed here: type, from, value, join, with, trim, nullIf, match, map, default, required, format, decimalMark, thousands, timeZone, repeatedHour, fraction, scale, as, min, max, oneOf"#
        ),
        .meaningless(
            Definition.relationship(
                #"{ "to": "Stop", "many": true, "split": ",", "with": »{ "d": "d" } }"#),
            #""with" needs links that are elements of a list: not with "split""#),
        .meaningless(
            Definition.relationship(
                #"{ "to": "Stop", "many": true, "from": ["x[*].id", "y[*].id"], "with": »{ "d": "d" } }"#),
            #""with" needs links that are elements of one list: their paths have none in common"#),
        .meaningless(
            Definition.relationship(
                #"{ "to": "Stop", "many": true, "from": "a..x[*].id", "with": { "d": "^.d", "e": »"^^.d" } }"#),
            #""^^.d" leads out of what .. finds, which may be at any depth"#),
        .meaningless(
            Definition.relationship(
                #"{ "to": "Stop", "many": true, "from": "x[*].id", "with": { »"Target": "d", "e": »"y[*]" } }"#),
            #""Target" is a name that the table of links needs for itself"#,
            #""y[*]" can match several values: a link has one of each"#),
        .malformed(
            Definition.relationship(#"»"Stop""#),
            #"the relationship "x" must be an object, not the text "Stop", as in { "to": "Stop" }"#),
        .malformed(
            Definition.relationship(#"»["Stop"]"#),
            #"the relationship "x" must be an object, not a list, as in { "to": "Stop", "many": true }"#),
        .malformed(
            Definition.relationship(#"»{}"#),
            #"the relationship "x" needs "to""#),
        .malformed(
            Definition.relationship(#"{ "to": »5 }"#),
            #""to" must be an entity, or a list of entities, not the number 5"#),
        .malformed(
            Definition.relationship(#"{ "to": »[] }"#),
            #""to" must be an entity, or a list of entities, not an empty list"#),
        .meaningless(
            Definition.relationship(#"{ "to": »"Stopp" }"#),
            #"there is no entity "Stopp": did you mean "Stop"? There are "Stop", "Place" and "Line""#),
        .meaningless(
            Definition.relationship(#"{ "to": ["Stop", »"Plaice", »"Stop"] }"#),
            #"there is no entity "Plaice": did you mean "Place"? There are "Stop", "Place" and "Line""#,
            #""Stop" is in this list twice"#),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", »"missng": "stub" }"#),
            #"unknown key "missng" in the relationship "x": did you mean "missing"?"#
        ),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", »"required": true }"#),
            #"a relationship takes no "required": see "missing""#),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", »"type": "text" }"#),
            #"a relationship has the type of the identifier that it refers to: it takes no "type""#),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", "many": »"yes", "missing": »"stubs", "onDelete": »"delete" }"#),
            #""many" must be true or false, not the text "yes""#,
            #""missing" must be "null", "stub" or "reject", not the text "stubs": did you mean "stub"?"#,
            #""onDelete" must be "nullify" or "cascade", not the text "delete""#),
        .meaningless(
            Definition.relationship(#"{ "to": "Stop", "from": »"tags[*]" }"#),
            #""tags[*]" can match several values: that needs "many": true"#),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", »"split": "," }"#),
            #""split" needs "many": true"#),
        .meaningless(
            Definition.relationship(#"{ "to": "Stop", "many": true, "join": ["a", { "from": "b", »"split": "," }] }"#),
            #"a part of "join" or "identifier" cannot have "split""#),
        .meaningless(
            Definition.relationship(
                #"{ "to": "Stop", "many": true, "join": ["a", { "from": "b", »"matches": "x" }] }"#),
            #"a part of "join" or "identifier" cannot have "matches""#),
        .meaningless(
            Definition.relationship(
                #"{ "to": "Stop", "many": true, "matches": "x", "with": »{ "d": "d" } }"#),
            #""with" needs links that are elements of a list: not with "matches""#),
        .meaningless(
            Definition.relationship(#"»{ "to": "Line" }"#),
            #""Line" is identified by 2 attributes (id, direction): instead of "from", give "identifier", a list of 2 values"#
        ),
        .meaningless(
            Definition.relationship(#"{ "to": "Line", »"from": "line" }"#),
            #""Line" is identified by 2 attributes (id, direction): instead of "from", give "identifier", a list of 2 values"#
        ),
        .meaningless(
            Definition.relationship(#"{ "to": "Line", »"join": ["a", "b"] }"#),
            #""Line" is identified by 2 attributes (id, direction): instead of "from", give "identifier", a list of 2 values"#
        ),
        .meaningless(
            Definition.relationship(#"{ "to": "Line", "identifier": »["line"] }"#),
            #""Line" is identified by 2 attributes (id, direction): this list has one value"#),
        .meaningless(
            Definition.relationship(#"{ "to": "Stop", "identifier": »["a", "b"] }"#),
            #""Stop" is identified by one attribute (id): this list has 2 values"#),
        .meaningless(
            Definition.relationship(#"{ "to": ["Stop", "Line"], »"from": "a" }"#),
            #""Line" is identified by 2 attributes (id, direction): instead of "from", give "identifier", a list of 2 values"#
        ),
        .malformed(
            Definition.relationship(#"{ "to": "Line", "identifier": ["line", "direction"], »"from": "x" }"#),
            #"a relationship has either "identifier" or "from""#),
        .malformed(
            Definition.relationship(#"{ "to": "Line", "identifier": ["line", "direction"], »"trim": true }"#),
            #"beside "identifier" there is no "trim": it belongs into the list's values"#),
        .malformed(
            Definition.relationship(#"{ "to": "Line", "identifier": »"line" }"#),
            #""identifier" must be a list of values, not the text "line""#),
        .malformed(
            Definition.relationship(#"{ "to": "Line", "identifier": »[] }"#),
            #""identifier" must be a list of at least one value, not an empty list"#),
        .malformed(
            Definition.relationship(#"{ "to": "Line", "identifier": ["line", »{ "trim": true }] }"#),
            #"a value of "identifier" needs "from", "join" or "value""#),
        .malformed(
            Definition.relationship(#"{ "to": "Line", "identifier": ["line", »5] }"#),
            #""identifier" must be a path or an object, not the number 5"#),
        .meaningless(
            Definition.relationship(#"{ "to": "Stop", »"entity": "kind" }"#),
            #""entity" chooses from several entities: "to" has one"#),
        .malformed(
            Definition.relationship(#"{ "to": ["Stop", "Place"], "missing": »"stub" }"#),
            #"a stub needs its entity: with several in "to", add "entity""#),
        .meaningless(
            Definition.relationship(
                #"{ "to": ["Stop", "Place"], "entity": { "from": "k", "map": { "a": »"Line", "b": »1 }, "default": »"Plac" } }"#
            ),
            #"there is no entity in "to" called "Line"; there are "Stop" and "Place""#,
            #""entity" must be the name of an entity, not the number 1"#,
            #"there is no entity in "to" called "Plac": did you mean "Place"? There are "Stop" and "Place""#),
        .malformed(
            Definition.relationship(#"{ "to": ["Stop", "Place"], "entity": »1 }"#),
            #""entity" must be a path or an object, not the number 1"#),
        .malformed(
            Definition.relationship(#"{ "to": ["Stop", "Place"], "entity": »{ "trim": true } }"#),
            #"a value of "entity" needs "from", "join" or "value""#),
        .meaningless(
            Definition.relationship(#"{ "to": "Place", "default": »"x" }"#),
            #"the value of "default" does not fit: integer expected"#),
    ]

    /// What they say of references by other attributes than the identifier, and of several ways.
    static let ways: [DefinitionCase] = [
        .valid(Definition.relationship(#"{ "to": "Line", "by": "id", "from": "line", "onDelete": "cascade" }"#)),
        .valid(Definition.relationship(#"{ "to": "Stop", "by": ["id"], "missing": "stub" }"#)),
        .valid(
            Definition.relationship(
                #"{ "to": "Line", "by": ["direction", "id"], "identifier": ["d", { "from": "l", "trim": true }] }"#)),
        .valid(Definition.relationship(#"{ "to": { "Line": "id", "from": "line" }, "many": false }"#)),
        .valid(
            Definition.relationship(
                #"{ "to": [{ "Stop": "id", "from": "a" }, { "Line": "id", "join": ["b", "c"], "with": "" }] }"#)),
        .valid(
            Definition.relationship(
                #"{ "to": [{ "Line": "id", "from": "x[*].a" }, { "Place": ["id"], "from": "x[*].b" }], "many": true }"#)
        ),
        .valid(
            Definition.relationship(
                #"{ "to": [{ "Line": ["id", "direction"], "identifier": ["a", "b"] }, { "Line": ["direction", "id"], "identifier": ["b", "a"] }], "missing": "stub" }"#
            )),
        .valid(Definition.relationship(#"{ "to": [{ "Stop": "id", "from": "a" }], "missing": "reject" }"#)),
        .meaningless(
            Definition.relationship(#"{ "to": "Line", "by": »"Id" }"#),
            #"there is no attribute of "Line" "Id": did you mean "id"? There are "id" and "direction""#),
        .meaningless(
            Definition.entities(
                #""E": { "records": "$", "identifier": "id", "attributes": { "id": "text", "tags": { "type": "text", "many": true }, "raw": "json" }, "relationships": { "x": { "to": "E", "by": »"tags" }, "y": { "to": { "E": »"raw", "from": "z" } } } }"#
            ), #"an attribute with "many" cannot identify anything"#,
            "an attribute of the type json cannot identify anything"),
        .malformed(Definition.relationship(#"{ "to": "Line", "by": »5 }"#), #""by" must be a text, not the number 5"#),
        .meaningless(
            Definition.relationship(#"{ "to": ["Stop", "Place"], »"by": "id" }"#),
            #""by" is about one entity: of several, give each a way of its own, "to": [{ "Stop": …, "from": … }, …]"#),
        .meaningless(
            Definition.relationship(#"{ "to": "Line", "by": "id", "missing": »"stub" }"#),
            "a stub needs its identifier, by which no way looks for it here"),
        .meaningless(
            Definition.relationship(#"{ "to": "Line", "by": "id", "missing": »"reject" }"#),
            #""missing": "reject" needs references by the identifier: where other attributes lead is known only when all records are loaded"#
        ),
        .meaningless(
            Definition.relationship(
                #"{ "to": [{ "Stop": "id", "from": "a" }, { "Place": "id", "from": "b" }], "missing": »"stub" }"#),
            "a stub needs its entity: these ways lead to several"),
        .meaningless(
            Definition.relationship(#"{ "to": "Line", "by": ["id", "direction"], »"from": "x" }"#),
            #""Line" is looked for by 2 attributes (id, direction): instead of "from", give "identifier", a list of 2 values"#
        ),
        .malformed(
            Definition.relationship(#"{ "to": { "Line": "id", "from": "x" }, »"from": "y" }"#),
            #"each way in "to" has a value of its own: beside it there is no "from""#),
        .malformed(
            Definition.relationship(#"{ "to": [{ "Line": "id", "from": "x" }], »"by": "y", »"entity": "z" }"#),
            #"each way in "to" has a value of its own: beside it there is no "by""#,
            #"each way in "to" has a value of its own: beside it there is no "entity""#),
        .malformed(
            Definition.relationship(#"{ "to": [{ "Line": "id", "from": "x" }, »"Stop"] }"#),
            #"a way of "to" must be an object, not the text "Stop""#),
        .malformed(
            Definition.relationship(#"{ "to": »{ "Line": "id" } }"#),
            #"a way of "to" needs "from", "join" or "value""#),
        .malformed(
            Definition.relationship(#"{ "to": »{ "from": "x" } }"#),
            #"a way of "to" names one entity, with the attribute by which its object is found: { "Airport": "iata", "from": … }"#
        ),
        .meaningless(
            Definition.relationship(#"{ "to": »{ "Stop": "id", "Line": "id", "from": "x" } }"#),
            #"a way of "to" names one entity, with the attribute by which its object is found: { "Airport": "iata", "from": … }"#
        ),
        .malformed(
            Definition.relationship(#"{ "to": { "Line": »5, "from": "x" } }"#),
            #""Line" must be an attribute, or a list of attributes, not the number 5"#),
        .meaningless(
            Definition.relationship(
                #"{ "to": »[{ "Stop": "id", "from": "a" }, { "Line": ["id", "direction"], "identifier": ["b", "c"] }] }"#
            ), "the ways of one relationship look for as many attributes each"),
        .meaningless(
            Definition.relationship(#"{ "to": { "Line": [»"id", "id"], "identifier": ["b", "c"] } }"#),
            "an attribute is in this list twice"),
        .meaningless(
            Definition.relationship(#"{ "to": { "Place": "id", "from": "x", "default": »"x" } }"#),
            #"the value of "default" does not fit: integer expected"#),
    ]

    /// What they say of stubs.
    static let stubs: [DefinitionCase] = [
        .valid(stubs(#""orphans": "delete", "table": "tags", "was": "Tags""#)),
        .valid(
            Definition.entity(#""orphans": "keep""#).replacing(
                #""parent": { "to": "Stop" }"#, with: #""parent": { "to": "Stop", "missing": "stub" }"#)),
        .malformed(stubs(#""orphans": »"mark""#), #""orphans" must be "keep" or "delete", not the text "mark""#),
        .meaningless(
            Definition.entity(#"»"orphans": "delete""#),
            #""orphans" is about stubs, and no relationship makes any of "Stop" (by "missing": "stub")"#),
        .malformed(
            stubs(#"»"mode": "insert""#),
            #""mode" is about records, and the entity "Tag" has no "records": its objects are stubs"#),
    ]

    private static func stubs(_ keys: String) -> String {
        Definition.entities(
            #""Tag": { "identifier": "name", "attributes": { "name": "text" }, \#(keys) }, "Post": { "records": "$", "identifier": "id", "attributes": { "id": "text" }, "relationships": { "tag": { "to": "Tag", "missing": "stub" } } }"#
        )
    }
}
