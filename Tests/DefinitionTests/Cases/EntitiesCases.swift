/// What the cases say of entities.
extension DefinitionCase {
    static let entities: [DefinitionCase] = [
        .valid(
            Definition.entity(
                #""source": "main", "table": "stops", "was": ["Halt", "Station"], "mode": "insert", "duplicates": "first""#
            )),
        .valid(Definition.entity(#""absent": "mark", "within": "parent""#)),
        .valid(Definition.entity(#""limits": { "rejects": 3, "deletes": null, "records": "10%" }"#)),
        .meaningless(
            #"{ "store": { "sqlite": "y" }, "entities": { "A": { "identifier": "id", "attributes": »"*" } } }"#,
            #""*" stands for members of records: it needs "records""#),
        .meaningless(
            Definition.entity(#"»"except": "x", »"drift": "add""#),
            #""except" is for an entity with "attributes": "*""#, #""drift" is for an entity with "attributes": "*""#),
        .valid(
            #"{ "source": { "file": "/nowhere/x" }, "store": { "sqlite": "/nowhere/y" }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": "*", "except": ["a", "b"], "drift": "tell" } } }"#
        ),
        .malformed(Definition.entity(#""limits": »3"#), #""limits" must be an object, not the number 3"#),
        .malformed(
            Definition.entity(#""limits": { »"record": 3 }"#),
            #"unknown key "record" in "limits": did you mean "records"?"#
        ),
        .malformed(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "y" }, "entities": { "A": { »"record": "$", "where": { "a": 1 }, "identifier": "id", "attributes": { "id": { "type": "text", "from": "a" } } } } }"#,
            #"unknown key "record" in the entity "A": did you mean "records"?"#),
        .valid(Definition.entity(#""mode": "update", "duplicates": "reject", "absent": "delete""#)),
        .valid(
            Definition.entity(
                #""where": { "type": "stop", "@.kind[0]": [1, null, true], "$.version": "2", "^.open": false, "~": 0 }"#
            )),
        .valid(Definition.entity(#""deleteWhere": { "gone": true }"#)),
        .valid(Definition.entity(#""search": { "fields": "id" }"#)),
        .valid(
            Definition.entity(
                #""search": { "fields": ["id"], "tokenize": "porter unicode61 categories 'L* N*' tokenchars '-'", "prefix": [3, 1] }"#
            )),
        .valid(
            Definition.entity(#""search": { "fields": "id", "tokenize": "trigram case_sensitive 1", "prefix": [] }"#)),
        .valid(Definition.entity(#""search": { "fields": "id", "tokenize": "porter", "prefix": 4 }"#)),
        .malformed(Definition.entity(#""search": »true"#), #""search" must be an object, not true"#),
        .malformed(Definition.entity(#""search": »{}"#), #""search" needs "fields""#),
        .malformed(
            Definition.entity(#""search": { "fields": »[], "prefix": [2, »21] }"#),
            #""fields" must be a text or a list of texts, not an empty list"#,
            #""prefix" must be a whole number from 1 to 20, or a list of such, not the number 21"#),
        .meaningless(
            Definition.entity(#""search": { "fields": ["id", »"nane", »"id"], "prefix": [2, »2] }"#),
            #"there is no attribute "nane"; there is only "id""#, #""id" is in this list twice"#,
            "2 is in this list twice"),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "integer", "Rank": "text" }, "search": { "fields": [»"id", »"Rank"] } } } }"#,
            #"attributes of the type text are searched, and "id" is of the type integer"#,
            #"SQLite keeps the name "Rank" for itself in tables of words"#),
        .meaningless(
            Definition.entity(#""search": { "fields": "id", "tokenize": »"icu" }"#),
            #""icu" is no tokenizer: there are unicode61, ascii and trigram, and porter before another one"#),
        .meaningless(
            Definition.entity(#""search": { "fields": "id", "tokenize": »"unicode61 remove_diacritics 3" }"#),
            #""unicode61 remove_diacritics 3" is no tokenizer: remove_diacritics is 0 or 1 or 2"#),
        .meaningless(
            Definition.entity(#""search": { "fields": "id", "tokenize": »"ascii categories L*" }"#),
            #""ascii categories L*" is no tokenizer: ascii has the options separators, tokenchars"#),
        .meaningless(
            Definition.entity(#""search": { "fields": "id", "tokenize": »"unicode61 tokenchars" }"#),
            #""unicode61 tokenchars" is no tokenizer: each option of unicode61 has a value"#),
        .meaningless(
            Definition.entity(#""search": { "fields": "id", "tokenize": »"unicode61 tokenchars '" }"#),
            #""unicode61 tokenchars '" is no tokenizer: a quotation mark does not end"#),
        .meaningless(
            Definition.entity(#""search": { "fields": "id", "tokenize": »"unicode61 categories 'X*'" }"#),
            #""unicode61 categories 'X*'" is no tokenizer: categories are those of Unicode, such as 'L* N* Co'"#),
        .valid(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text", "y": "real", "x": "real" }, "near": ["y", "x"] } } }"#
        ),
        .malformed(
            Definition.entity(#""near": »"id""#),
            #""near" must be a list of two attributes, with the latitude and the longitude, not the text "id""#),
        .meaningless(
            Definition.entity(#""near": [»"id", »"y"]"#),
            #"attributes of the type real say where an object is, and "id" is of the type text"#,
            #"there is no attribute "y"; there is only "id""#),
        .valid(
            #"{ "source": { "file": "x" }, "store": { "postgresql": { "database": "dbname=x" } }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" }, "search": { "fields": "id" } } } }"#
        ),
        .valid(Definition.entity(#""repeats": true, "ignore": ["_links", "meta.*", "a['b']"]"#)),
        .valid(Definition.entity(#""repeats": false, "ignore": "*""#)),
        .malformed(Definition.entity(#""repeats": »1"#), #""repeats" must be true or false, not the number 1"#),
        .meaningless(
            Definition.entity(#""ignore": [»"$.x", »"^.y", »"a~", »"@"]"#),
            #""$.x" names no field of the record"#, #""^.y" names no field of the record"#,
            #""a~" names no field of the record"#, #""@" names no field of the record"#),
        .malformed(
            Definition.entity(#"»"atributes": {}"#),
            #"unknown key "atributes" in the entity "Stop": did you mean "attributes"?"#
        ),
        .malformed(
            #"{ »"source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": »{} } }"#,
            #"nothing is taken from "source": no entity has "records", the path of its records"#,
            #"the entity "A" needs "identifier""#),
        .malformed(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": »[], "identifier": »[] } } }"#,
            #""records" must be a path, or a list of paths, not an empty list"#,
            #""identifier" must be a text or a list of texts, not an empty list"#),
        .malformed(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": »1, "identifier": »{}, "attributes": »[], "relationships": »"x" } } }"#,
            #""records" must be a path, not the number 1"#,
            #""identifier" must be a text, not an object"#,
            #""attributes" must be an object, not an empty list"#,
            #""relationships" must be an object, not the text "x""#),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": "$", "identifier": [»"nome", »"Name", "id", »"id"], "attributes": { "id": "text", "name": "text" } } } }"#,
            #"there is no attribute "nome": did you mean "name"? There are "id" and "name""#,
            #"there is no attribute "Name": did you mean "name"? There are "id" and "name""#,
            #""id" is in this list twice"#),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": "$", "identifier": »"id", "attributes": { "id": "json" } } } }"#,
            #"an attribute of the type json cannot identify anything"#),
        .valid(identifying(#"["stop", "no"]"#, #""stop": { "to": "Stop", "from": "s" }"#)),
        .valid(
            identifying(#"["no", "line"]"#, #""line": { "to": "Line", "identifier": ["l", "d"], "missing": "stub" }"#)),
        .valid(
            identifying(
                #""stop""#, #""stop": { "to": ["Stop"] }"#,
                #", "F": { "records": "$", "identifier": "e", "relationships": { "e": { "to": "E", "from": "x" } } }"#)),
        .meaningless(
            identifying(#"["stops", »"stop"]"#, #""stop": { "to": "Stop", "many": true }"#).replacing(
                "\"stops\", ", with: ""),
            #""stop" may lead to several objects: what identifies an object leads to one"#),
        .meaningless(
            identifying(#"["stop", »"linie"]"#, #""stop": { "to": ["Stop", "Place"] }, "line": { "to": "Stop" }"#),
            #"there is no attribute or relationship "linie": did you mean "line"? There are "no", "stop" and "line""#),
        .meaningless(
            identifying(#"[»"stop", "no"]"#, #""stop": { "to": { "Stop": "id", "from": "x" } }"#),
            #""stop" is searched: what identifies an object leads to one entity, by its identifier"#),
        .meaningless(
            identifying(#"[»"self", "no"]"#, #""self": { "to": "E" }"#),
            #"an object would identify itself: "E" is identified by "E""#),
        .meaningless(
            identifying(
                #""f""#, #""f": { "to": "F" }"#,
                #", "F": { "records": "$", "identifier": »"e", "relationships": { "e": { "to": "E" } } }"#),
            #"an object would identify itself: "E" is identified by "F" is identified by "E""#),
        .meaningless(
            identifying(#"»"stop""#, #""stop": { "to": "Stop" }, "stop_id": { "to": "Stop" }"#),
            #"the name "stop_id", of a column of what identifies it, is taken by the relationship "stop_id" in line 26 (the case of letters does not count)"#
        ),
        .meaningless(
            identifying(#""stop""#, #""stop": { "to": "Stop", »"onAbsent": "clear" }"#),
            #"a record in which an identifier is absent is a reject: "onAbsent" has no effect"#),
        .malformed(
            Definition.records(#"»"stops[*]""#),
            #"a path in "records" starts at the top of the feed, with $: did you mean "$.stops[*]"?"#),
        .malformed(
            Definition.records(#"»"@""#),
            #"a path in "records" starts at the top of the feed, with $"#),
        .meaningless(
            Definition.records(#"»"$.stops[*""#),
            #""$.stops[*" is no path: expected ], at its character 10"#),
        .meaningless(
            Definition.records(#"»"$.stops[*]~""#),
            #"a path in "records" leads to values: it cannot end with ~"#),
        .meaningless(
            Definition.records(#"["$.a[*]", »"$.b[-1]", »"$.c[?d == 1]"]"#),
            #"a path in "records" takes all elements: which of them count, the entity's "where" says"#,
            #"a path in "records" takes all elements: which of them count, the entity's "where" says"#),
        .meaningless(
            Definition.entity(#""where": { »"a[?b].c": 1 }, "ignore": »"a[-1]""#),
            #""a[?b].c" chooses among elements: in a condition, "a[*].c" fits if one of them does"#,
            #""a[-1]" names no field of the record"#),
        .valid(Definition.records(#"["$.a[*]", "$..b", "$"]"#)),
        .malformed(
            Definition.entity(#""source": »[]"#),
            #""source" must be a text or a list of texts, not an empty list"#),
        .meaningless(
            Definition.entity(#""source": »"mian""#),
            #"there is no source "mian": did you mean "main"? There is only "main""#),
        .malformed(
            Definition.entity(#""where": »{}"#),
            #""where" must name at least one path, with its value"#),
        .malformed(
            Definition.entity(#""where": »"x""#),
            #""where" must be an object, not the text "x""#),
        .malformed(
            Definition.entity(#""where": { "a": »{} }"#),
            #"the condition of "a" is empty: allowed here: present, type, <, <=, >, >=, match, not"#),
        .malformed(
            Definition.entity(#""where": { "a": »[] }"#),
            #"a list of values cannot be empty: no record would have one of them"#),
        .malformed(
            Definition.entity(#""where": { "a": [1, »[2]] }"#),
            #""a" must be a text, a number, true, false or null, not a list"#),
        .valid(Definition.entity(#""where": { "a[*]": 1, "$.stops[*].b": { "present": true } }"#)),
        .valid(
            Definition.entity(
                #""where": { "a": { "present": true, "type": ["string", "null"], "not": null }, "b": [1, { "match": "^x" }], "c": { "not": [2, { "<": 0.5, ">=": -1 }] }, "d": { ">": "2026-11-20", "<=": "${LAST:-2027}" } }"#
            )),
        .valid(
            Definition.entity(
                #""where": { "any": [{ "a": 1, "b": 2 }, { "not": { "c": true } }], "all": [{ "d": { "type": "array" } }] }, "deleteWhere": { "not": { "e": null, "any": [{ "f": 1 }] } }"#
            )),
        // A field that is called so.
        .valid(Definition.entity(#""where": { "any": ["a", { "match": "b" }], "all": 1, "not": [null, "x"] }"#)),
        .malformed(
            Definition.entity(#""where": { "a": { »"exists": 5 } }"#),
            #"unknown key "exists" in the condition of "a"; allowed here: present, type, <, <=, >, >=, match, not"#
        ),
        .malformed(
            Definition.entity(
                #""where": { "a": { "present": »1, "type": »"text", "<": »true, "match": »"", "not": »[] } }"#),
            #""present" must be true or false, not the number 1"#,
            #""type" must be "null", "boolean", "number", "string", "array" or "object", not the text "text""#,
            #""<" must be a number or a text, not true"#, #""match" cannot be empty"#,
            #""not" must be a value, a condition, or a list of them, not an empty list"#),
        .malformed(
            Definition.entity(#""where": { "a": { "type": »[] } }"#),
            #""type" must be a type of JSON, or a list of them, not an empty list"#),
        .malformed(
            Definition.entity(#""where": { "any": [{ "a": 1 }, »{}], "not": »{} }"#),
            #"a condition of "any" must name at least one path, with its value"#,
            #""not" must name at least one path, with its value"#),
        .meaningless(
            Definition.entity(#""where": { "a": { "match": »"(" }, "any": [{ »"b c": 1 }] }"#),
            "the pattern is wrong",
            #""b c" is no path: expected ., .., [ or ~; a name that is no plain word is written ['so'], at its character 2: ['b c']?"#
        ),
        .meaningless(
            Definition.entity(#""where": { »"a b": 1 }"#),
            #""a b" is no path: expected ., .., [ or ~; a name that is no plain word is written ['so'], at its character 2: ['a b']?"#
        ),
        .meaningless(
            Definition.entity(#""where": { "a": 1, »"a": 2 }"#),
            #"the key "a" is repeated in "where""#),
        .malformed(
            Definition.entity(#""mode": »"upsrt", "duplicates": »"none", "absent": »null"#),
            #""mode" must be "upsert", "insert" or "update", not the text "upsrt": did you mean "upsert"?"#,
            #""duplicates" must be "last", "first" or "reject", not the text "none""#,
            #""absent" must be "keep", "delete" or "mark", not null"#),
        .malformed(
            Definition.entity(#""table": »"", "was": »[]"#),
            #""table" cannot be empty"#,
            #""was" must be a text or a list of texts, not an empty list"#),
        .malformed(
            Definition.entity(#""within": »5, "absent": "mark""#),
            #""within" must be a text, not the number 5"#),
        .malformed(
            Definition.entity(#"»"within": "parent""#),
            #""within" bounds "absent", which must be "delete" or "mark""#),
        .malformed(
            Definition.entity(#"»"within": "parent", "absent": "keep""#),
            #""within" bounds "absent", which must be "delete" or "mark""#),
        .meaningless(
            Definition.entity(#""absent": "delete", "within": »"parents""#),
            #"there is no relationship "parents": did you mean "parent"? There are "parent", "place" and "lines""#),
        .meaningless(
            Definition.entity(#""absent": "delete", "within": »"lines""#),
            #""within" needs a to-one relationship to one entity, which "lines" is not"#),
        .meaningless(
            Definition.entity(#""absent": "delete", "within": »"place""#),
            #""within" needs a to-one relationship to one entity, which "place" is not"#),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": "$[*]", "identifier": "a", »"deleteWhere": { "gone": true }, "attributes": { "a": "text" }, "relationships": { "b": { "to": "A" }, "c": { "to": "A", "missing": "reject" } } } } }"#,
            #""deleteWhere" and "missing": "reject" (of "c") exclude each other in one entity: which records count would depend on which objects go, and the other way round"#
        ),
        .meaningless(
            Definition.entity(#""was": »"line""#),
            #""line" is the present name of an entity: it cannot be an earlier one"#),
    ]

    /// With an entity `E` of that identifier and those relationships.
    private static func identifying(_ identifier: String, _ relationships: String, _ more: String = "") -> String {
        Definition.entities(
            #""E": { "records": "$.e[*]", "identifier": \#(identifier), "attributes": { "no": "integer" }, "relationships": { \#(relationships) } }\#(more)"#
        )
    }
}
