/// What the cases say of values.
extension DefinitionCase {
    static let values: [DefinitionCase] = [
        .valid(Definition.attribute(##"{ "type": "text", "value": "x", "map": { "*": "y" } }"##)),
        .valid(
            Definition.attribute(#"{ "type": "text", "from": ["a", "$file", { "from": "$line" }, { "value": true }] }"#)
        ),
        .valid(Definition.relationship(#"{ "to": "Stop", "many": true, "from": "a.b", "oneOrMany": true }"#)),
        .valid(
            Definition.relationship(
                #"{ "to": "Line", "many": true, "identifier": [{ "from": "a[*].id", "oneOrMany": true }, { "value": 1 }] }"#
            )),
        .malformed(
            Definition.attribute(#"{ "type": "text", "value": »null }"#),
            #""value" must be a text, a number, true or false, not null"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "value": 1, »"from": "a" }"#),
            #""value" says what the value is: beside it there is no "from""#),
        .meaningless(
            Definition.attribute(#"{ "type": "integer", "value": »"x" }"#),
            #"the value of "value" does not fit: integer expected"#),
        .meaningless(
            Definition.attribute(#"{ "type": "json", "from": »"$line" }"#),
            #""$line" is a text or a number: not for the type json"#),
        .malformed(
            Definition.attribute(#"{ "type": "json", »"value": "x" }"#),
            #"the type json takes a value as it is, with "from" and "default" only: not with "value""#),
        .malformed(
            Definition.attribute(#"{ "type": "text", »"oneOrMany": true }"#),
            #""oneOrMany" needs "many": true"#),
        .malformed(
            Definition.relationship(#"{ "to": "Stop", »"oneOrMany": true }"#),
            #""oneOrMany" needs "many": true"#),
        .valid(Definition.attribute(#"{ "type": "text", "from": "names[?language.name == \"en\"].name" }"#)),
        .valid(Definition.attribute(#"{ "type": "json", "from": ["a[-1]", "b[?c && !(d < 5)][-2].e~"] }"#)),
        .valid(
            Definition.relationship(
                #"{ "to": "Line", "many": true, "identifier": ["a[?b == 'x'].c[*].id", "a[?b == 'x'].d"] }"#)),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": »"a[?b == c].d" }"#),
            #""a[?b == c].d" is no path: a path is compared with a literal, and a literal with a path, at its character 9"#
        ),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": »"a[?b].c[*]" }"#),
            #""a[?@.b].c[*]" can match several values: that needs "many": true"#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": [»"^a[-1]", »"$.stops[*].b[?c]"] }"#),
            #""^.a[-1]" chooses among elements around the record: only in it that can be done"#,
            #""$.stops[*].b[?@.c]" encloses no record of "Stop": a path that starts with $ begins like one in "records" ($.stops[*]) and goes on with names and indices only"#
        ),
        .meaningless(
            Definition.relationship(#"{ "to": "Stop", "many": true, "from": »"a[?b]..c" }"#),
            #""a[?@.b]..c" goes on with .. behind the elements that it chooses: only names, indices, [*] and further choices can follow"#
        ),
        .valid(Definition.attribute(#"{ "type": "text", "from": "a.b[0]['c d']" }"#)),
        .valid(
            Definition.attribute(
                #"{ "type": "text", "from": ["a", { "from": "b", "trim": true, "nullIf": "-", "map": { "a": "b" } }, { "join": ["c", "d"] }] }"#
            )),
        .valid(Definition.attribute(#"{ "type": "text", "join": ["a", { "from": "b", "default": "" }], "with": "" }"#)),
        .valid(
            Definition.attribute(
                #"{ "type": "text", "trim": true, "nullIf": ["", "n/a", 0, false], "match": "^([a-z]+)", "map": { "a": 1, "b": null, "*": "c" }, "default": "d" }"#
            )),
        .valid(
            Definition.attribute(
                #"{ "type": "json", "from": ["a", { "from": "b", "default": [] }], "default": { "a": [1, null] } }"#)),
        .valid(Definition.attribute(#"{ "type": "integer", "from": "$.version", "default": 0 }"#)),
        .valid(Definition.attribute(#"{ "type": "text", "from": "~" }"#)),
        .valid(Definition.attribute(#"{ "type": "text", "from": "^~" }"#)),
        .valid(Definition.attribute(#"{ "type": "integer", "from": "$.stops~" }"#)),
        .valid(Definition.attribute(#"{ "type": "text", "from": "$.stops[*].name" }"#)),
        .malformed(
            Definition.attribute(#"{ "type": "text", "from": »5 }"#),
            #""from" must be a path or an object, not the number 5"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "from": »"" }"#),
            #""from" cannot be empty"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "from": »[] }"#),
            #""from" must be a list of at least one value, not an empty list"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "from": ["a", »[]] }"#),
            #""from" must be a path or an object, not an empty list"#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": »"a..5" }"#),
            #""a..5" is no path: expected a name, [ or * after the two dots, at its character 4"#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": »"tags[*]" }"#),
            #""tags[*]" can match several values: that needs "many": true"#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": »"$.lines[*].name" }"#),
            #""$.lines[*].name" encloses no record of "Stop": a path that starts with $ begins like one in "records" ($.stops[*]) and goes on with names and indices only"#
        ),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": »"$.stops[*].names[*]" }"#),
            #""$.stops[*].names[*]" encloses no record of "Stop": a path that starts with $ begins like one in "records" ($.stops[*]) and goes on with names and indices only"#
        ),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": »"$~" }"#),
            #"the top of a feed has no key and no index"#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": »"^^~" }"#),
            #"the top of a feed has no key and no index"#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": »"^^^.x" }"#),
            #""^^^.x" leads above the top of the feed: the records of "Stop" are 2 deep"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "from": "a", »"join": ["b"] }"#),
            #"a value has either "from" or "join""#),
        .malformed(
            Definition.attribute(#"{ "type": "text", »"with": "-" }"#),
            #""with" is what "join" puts between values: there is no "join""#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "join": »"a" }"#),
            #""join" must be a list of values, not the text "a""#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "join": »[] }"#),
            #""join" must be a list of at least one value, not an empty list"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "join": ["a"], "with": »null }"#),
            #""with" must be a text, not null"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "from": { »"form": "a" } }"#),
            #"unknown key "form" in a value of "from": did you mean "from"?"#
        ),
        .malformed(
            Definition.attribute(#"{ "type": "text", "from": { "from": "a", »"type": "text" } }"#),
            #"unknown key "type" in a value of "from"; allowed here: from, value, oneOrMany, join, with, trim, nullIf, match, map, split, matches, default"#
        ),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "from": { "from": "a", »"split": "," } }"#),
            #""split" needs "many": true"#),
        .malformed(
            Definition.attribute(
                #"{ "type": "text", "trim": »1, "nullIf": »{}, "match": »"", "map": »[], "default": »{} }"#),
            #""trim" must be true or false, not the number 1"#,
            #""nullIf" must be a text, a number, true, false, or a list of them, not an object"#,
            #""match" cannot be empty"#,
            #""map" must be an object, not an empty list"#,
            #""default" must be a text, a number, true, false or null, not an object"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "nullIf": [»null], "map": { "a": »[] } }"#),
            #""nullIf" must be a text, a number, true, false, or a list of them, not null"#,
            #""a" must be a text, a number, true, false or null, not an empty list"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "nullIf": »[], "map": »{} }"#),
            #""nullIf" must be a text, a number, true, false, or a list of them, not an empty list"#,
            #""map" cannot be empty: every record would be a reject"#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "map": { "a": 1, »"a": 2 } }"#),
            #"the key "a" is repeated in "map""#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "match": »"(" }"#),
            #"the pattern is wrong"#),
        .meaningless(
            Definition.attribute(
                #"{ "type": "integer", "default": »"x", "map": { "a": »"y", "b": null, "*": »true } }"#),
            #"the value of "default" does not fit: integer expected"#,
            #"the value of "a" does not fit: integer expected"#,
            #"the value of "*" does not fit: integer expected"#),
        .malformed(
            Definition.attribute(#"{ "type": "json", »"trim": true }"#),
            #"the type json takes a value as it is, with "from" and "default" only: not with "trim""#),
        .malformed(
            Definition.attribute(#"{ "type": "json", »"join": ["a"] }"#),
            #"the type json takes a value as it is, with "from" and "default" only: not with "join""#),
        .malformed(
            Definition.attribute(#"{ "type": "json", »"map": { "a": 1 } }"#),
            #"the type json takes a value as it is, with "from" and "default" only: not with "map""#),
        .meaningless(
            Definition.attribute(#"{ "type": "json", "from": { "from": "a", »"trim": true } }"#),
            #"the type json takes a value as it is, with "from" and "default" only: not with "trim""#),
        .meaningless(
            Definition.attribute(#"{ "type": "json", "default": { "a": 1, »"a": 2 } }"#),
            #"the key "a" is repeated in "default""#),
    ]
}
