/// What the cases say of sources.
extension DefinitionCase {
    static let sources: [DefinitionCase] = [
        .valid(Definition.source(#""source": { "file": "-" }"#)),
        .valid(
            Definition.source(
                #""source": { "file": "feeds/*.ndjson.gz", "format": "lines", "maxText": 1000, "maxRecord": 2000, "maxDepth": 10 }"#
            )),
        .valid(Definition.source(#""sources": { "a": { "file": "a.json" } }"#)),
        .malformed(
            Definition.source(#""source": { "file": "a" }, »"sources": { "a": { "file": "a" } }"#),
            #"a pipeline has either "source" or "sources""#),
        .malformed(
            Definition.source(#""source": »"a.json""#),
            #"the source "main" must be an object, not the text "a.json""#),
        .malformed(
            Definition.source(#""source": »{}"#),
            #"the source "main" needs "file", or "url""#),
        .malformed(
            Definition.source(#""source": { "file": »"" }"#),
            #""file" must be the path of a file, not an empty text"#),
        .malformed(
            Definition.source(#""source": { "file": "a", »"fromat": "json" }"#),
            #"unknown key "fromat" in the source "main": did you mean "format"? Allowed here: file, url, format, maxText, maxRecord, maxDepth, headers, query, auth, pages, since, timeout, retries, rate, maxBytes, parallel"#
        ),
        .malformed(
            Definition.source(#""source": { "file": "a", "format": »"ndjson" }"#),
            #""format" must be "json" or "lines", not the text "ndjson": did you mean "lines"?"#),
        .malformed(
            Definition.source(#""source": { "file": "a", "maxText": »0, "maxDepth": »"9" }"#),
            #""maxText" must be a whole number of at least 1 and at most 1000000000, not the number 0"#,
            #""maxDepth" must be a whole number of at least 1 and at most 1000000, not the text "9""#),
        .malformed(
            Definition.source(#""sources": »{}"#),
            #""sources" must name at least one source"#),
        .malformed(
            Definition.source(#""sources": »[]"#),
            #""sources" must be an object, not an empty list"#),
        .malformed(
            Definition.source(#""sources": { »"a=b": { "file": "a" } }"#),
            #"the name of a source cannot be empty, and cannot hold ="#),
        .malformed(
            Definition.source(#""sources": { »"": { "file": "a" } }"#),
            #"the name of a source cannot be empty, and cannot hold ="#),
        .meaningless(
            Definition.source(#""sources": { "a": { "file": "a" }, »"a": { "file": "b" } }"#),
            #"the key "a" is repeated in "sources""#),
        .meaningless(
            #"{ "sources": { "a": { "file": "a" }, "b": { "file": "b" } }, "store": { "sqlite": "x" }, "entities": { "A": »{ "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #"the entity "A" needs "source": there are "a" and "b""#),
        .valid(
            #"{ "sources": { "a": { "file": "a" }, "b": { "file": "b" } }, "store": { "sqlite": "x" }, "entities": { "A": { "source": ["b", "a"], "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#
        ),
        .meaningless(
            #"{ "sources": { "north": { "file": "a" }, "south": { "file": "b" } }, "store": { "sqlite": "x" }, "entities": { "A": { "source": [»"nort", "south", »"south"], "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #"there is no source "nort": did you mean "north"? There are "north" and "south""#,
            #""south" is in this list twice"#),
    ]
}
