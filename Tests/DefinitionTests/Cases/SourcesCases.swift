/// What the cases say of sources.
extension DefinitionCase {
    /// A definition whose source may be a table.
    private static func table(_ source: String) -> String {
        #"{ "source": { \#(source) }, "store": { "sqlite": "x" }, "#
            + #""entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#
    }

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
            Definition.source(#""sources": { »"file": "a.json" }"#),
            #""file" is a key of a source, and "sources" has sources by name, as in { "main": { "file": … } }: did you mean "source"?"#
        ),
        .malformed(
            Definition.source(#""source": »"a.json""#),
            #"the source "main" must be an object, not the text "a.json", as in { "file": "a.json" }"#),
        .malformed(
            Definition.source(#""source": »"https://example.org/a?key=secret""#),
            #"the source "main" must be an object, not the text "https://example.org/a?key=secret", as in { "url": … }"#
        ),
        .malformed(
            Definition.source(#""source": »{}"#),
            #"the source "main" needs "file", "url" or "command""#),
        .malformed(
            Definition.source(#""source": { "file": »"" }"#),
            #""file" must be the path of a file, not an empty text"#),
        .malformed(
            Definition.source(#""source": { "file": "a", »"fromat": "json" }"#),
            #"unknown key "fromat" in the source "main": did you mean "format"?"#
        ),
        .valid(Definition.source(#""source": { "file": "s3://feeds/a/*.ndjson.zst", "new": true }"#)),
        .valid(Definition.source(#""source": { "file": "sftp://a@example.org:22/in/*.json", "new": true }"#)),
        .meaningless(
            Definition.source(#""source": { "file": »"sftp://a:b@example.org/x" }"#),
            #""file" cannot hold a password: a key says who asks"#),
        .valid(Definition.source(#""source": { "file": "s3://feeds/gtfs.zip", "member": "stops.json" }"#)),
        .meaningless(
            Definition.source(#""source": { "file": »"s3://feeds" }"#),
            #""file" must be a bucket and a key, such as s3://bucket/feeds/*.json"#),
        .meaningless(
            Definition.source(#""source": { "file": »"s3://a b/c" }"#), #""file" names no bucket: a b"#),
        .meaningless(
            Definition.source(#""source": { "file": »"s3://feeds/a.zip", "member": "*.json" }"#),
            #"of objects, "member" names one file, and no pattern"#),
        .valid(Definition.source(#""source": { "file": "inbox/*.json", "new": true }"#)),
        .meaningless(
            Definition.source(#""source": { "file": "-", »"new": true }"#),
            #""new" is for files, and standard input is none"#),
        .malformed(
            Definition.source(#""source": { "url": "https://example.org/", »"new": true }"#), #""new" is for files"#),
        .malformed(
            Definition.source(#""source": { "file": "a", "new": »"yes" }"#),
            #""new" must be true or false, not the text "yes""#),
        .valid(Definition.source(#""source": { "command": ["./dump", "a b"], "format": "lines", "timeout": "10m" }"#)),
        .malformed(
            Definition.source(#""source": { "command": »"pg_dump" }"#),
            #""command" must be a list of a program and its arguments, not the text "pg_dump""#),
        .malformed(
            Definition.source(#""source": { "command": »[] }"#),
            #""command" must be a list of a program and its arguments, not an empty list"#),
        .malformed(
            Definition.source(#""source": { "file": "a", »"command": ["b"] }"#),
            #"a source has either "file" or "command""#),
        .malformed(
            Definition.source(#""source": { "url": "https://example.org/", »"command": ["b"] }"#),
            #"a source has either "url" or "command""#),
        .malformed(
            Definition.source(#""source": { "command": ["b"], »"pages": { "link": "next" } }"#),
            #""pages" is for web services, which have a "url""#),
        .malformed(
            Definition.source(#""source": { "command": ["b"], »"member": "c" }"#),
            #""member" is for archives: let the command print the file itself"#),
        .malformed(
            Definition.source(#""source": { "file": "a", »"timeout": "10m" }"#),
            #""timeout" is for web services, which have a "url""#),
        .valid(Definition.source(#""source": { "file": "a.json", "encoding": "utf-16le" }"#)),
        .meaningless(
            Definition.source(#""source": { "file": "a.json", "encoding": »"windows-1525" }"#),
            #"there is no encoding "windows-1525": did you mean "windows-1252"?"#),
        .meaningless(
            Definition.source(#""source": { "file": "a.json", "encoding": »"latin1//TRANSLIT" }"#),
            #"there is no encoding "latin1//TRANSLIT", such as windows-1252, iso-8859-1 or utf-16"#),
        .meaningless(
            Definition.source(#""source": { "url": "https://example.org/", "encoding": »"latin1" }"#),
            #"the JSON of services is UTF-8: "encoding" is for tables and archives"#),
        .valid(Definition.source(#""source": { "file": "a.zip", "member": "b/*.json" }"#)),
        .valid(Definition.source(#""source": { "url": "https://example.org/a.zip", "member": "b.ndjson" }"#)),
        .malformed(
            Definition.source(#""source": { "file": "a.zip", "member": »"../b" }"#),
            #""member" must be a path in the archive, such as stops.txt"#),
        .malformed(
            Definition.source(#""source": { "file": "a.zip", "member": »"" }"#), #""member" cannot be empty"#),
        .meaningless(
            Definition.source(#""source": { "file": "-", "member": »"b" }"#),
            #""member" is for archives, and standard input is none"#),
        .meaningless(
            Definition.source(#""source": { "url": "https://example.org/a.zip", "member": »"*.json" }"#),
            #"with "url", "member" names one file, and no pattern"#),
        .meaningless(
            Definition.source(
                #""source": { "url": "https://example.org/a.zip", "member": "b", »"pages": { "link": "next" } }"#),
            #""pages" is for answers, and "member" for an archive"#),
        .malformed(
            Definition.source(#""source": { "file": "a", "format": »"ndjson" }"#),
            #""format" must be "json", "lines", "csv" or "tsv", not the text "ndjson": did you mean "lines"?"#),
        .valid(
            table(
                #""file": "a.csv", "delimiter": ";", "quotes": false, "header": true, "names": ["a", "", "b", ""], "empty": "quoted""#
            )),
        .valid(table(#""file": "a.dat", "format": "tsv""#)),
        .valid(
            Definition.source(
                #""source": { "file": "a", "columns": { "$.f[*]": ["a", null], "$[0][*].x['y'][1]": ["b"] } }"#)),
        .meaningless(
            table(#""file": "a.csv", »"columns": { "$.f[*]": ["a"] }"#),
            #""columns" is for documents of JSON whose records are lists: tables have a header, or "names""#),
        .meaningless(
            Definition.source(
                #""source": { "file": "a", "columns": { »"$.f": ["a"], »"f[*]": ["a"], »"$[*]": ["a"], »"$.a[*].b[*]": ["a"] } }"#
            ),
            #""$.f" must lead to the texts of one list of the document, such as $.fields[*] or $.fields[*].name"#,
            #""f[*]" must lead to the texts of one list of the document, such as $.fields[*] or $.fields[*].name"#,
            #""$[*]" must lead to the texts of one list of the document, such as $.fields[*] or $.fields[*].name"#,
            #""$.a[*].b[*]" must lead to the texts of one list of the document, such as $.fields[*] or $.fields[*].name"#
        ),
        .malformed(
            Definition.source(
                #""source": { "file": "a", "columns": { "$.f[*]": »[], "$.g[*]": ["a", »1], "$.h[*]": »"a" } }"#),
            #""columns" must be a list of texts; null stands for a column whatever it is called, not an empty list"#,
            #""columns" must be a list of texts; null stands for a column whatever it is called, not the number 1"#,
            #""columns" must be a list of texts; null stands for a column whatever it is called, not the text "a""#),
        .malformed(
            Definition.source(#""source": { "file": "a", "columns": »{} }"#),
            #""columns" must be an object such as { "$.fields[*]": ["id", "name"] }, not an object"#),
        .valid(table(#""file": "a.tab.gz", "empty": "text""#)),
        .meaningless(
            table(#""file": "a.json", »"delimiter": ";", »"empty": "text""#),
            #""delimiter" is for tables: "format": "csv", or "tsv""#,
            #""empty" is for tables: "format": "csv", or "tsv""#),
        .meaningless(
            table(#""file": "a.csv", »"header": false"#),
            #"a table without a header needs "names", those of its columns"#),
        .valid(table(#""file": "a.csv", "headerLine": 3, "names": ["a"]"#)),
        .valid(table(#""file": "a.csv", "skip": ["u,v", "\t"]"#)),
        .valid(table(#""file": "a.csv", "skip": "u,v""#)),
        .malformed(
            table(#""file": "a.csv", "skip": »["u", 1]"#),
            #""skip" must be a number of rows, or a row as it reads in the file, or a list of these, not a list"#),
        .meaningless(
            table(#""file": "a.csv", "skip": »"u\nv""#), #""skip" has one row in each text, and none that is empty"#),
        .meaningless(
            table(#""file": "a.csv", "names": ["a"], "header": false, »"headerLine": 3"#),
            #""headerLine" says where the header is: there is none with "header": false"#),
        .malformed(
            table(#""file": "a.csv", "delimiter": »";;", "names": »[], "empty": »"nil""#),
            #""delimiter" must be one character of ASCII, such as ";", that is no quotation mark, not the text ";;""#,
            #""names" must be a list of the names of the columns, not an empty list"#,
            #""empty" must be "null", "text" or "quoted", not the text "nil""#),
        .malformed(
            table(#""file": "a.csv", "names": ["a", »1]"#),
            #""names" must be a list of the names of the columns, not the number 1"#),
        .meaningless(
            table(#""file": "a.csv", "names": ["a", »"a"]"#), #""a" is in this list twice"#),
        .meaningless(
            #"{ "source": { "file": "a.csv" }, "store": { "sqlite": "x" }, "entities": { "A": { "records": »"$[*]", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #"the records of a table are its rows: "$""#),
        .meaningless(
            table(#""url": "https://x.org/a", "format": "csv", "pages": { »"next": "$.next", »"total": "$.n" }"#),
            #""next" is a path, which leads nowhere in a table"#, #""total" is a path, which leads nowhere in a table"#),
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
