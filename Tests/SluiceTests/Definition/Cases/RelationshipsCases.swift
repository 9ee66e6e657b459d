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
        .malformed(
            Definition.relationship(#"»"Stop""#),
            #"the relationship "x" must be an object, not the text "Stop""#),
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
            #"unknown key "missng" in the relationship "x": did you mean "missing"? Allowed here: to, from, value, oneOrMany, join, with, trim, nullIf, match, map, split, default, identifier, many, across, entity, missing, onDelete, onAbsent, was"#
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
            #""tags[*]" can match several values: only a relationship with "many": true takes them"#),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", »"split": "," }"#),
            #""split" needs a relationship with "many": true"#),
        .meaningless(
            Definition.relationship(#"{ "to": "Stop", "many": true, "join": ["a", { "from": "b", »"split": "," }] }"#),
            #"a part of "join" or "identifier" cannot have "split""#),
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
        .malformed(
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
}
