import SluiceExtract

/// The keys of sources.
extension KeyTable {
    static let source = location + table + lists + sizes + web

    /// Where a source is, and how it is written.
    static let location: [DefinitionKey] = [
        DefinitionKey(
            "file", .text,
            #"A path, or a pattern with *, ? or […] that names several files, relative to the definition's "#
                + #"folder; "-" is standard input; "s3://bucket/key" is an object, or a pattern of objects, of a service that "#
                + #"speaks S3; "sftp://user@host/path" is a file of another machine. Compressed files are read as they are."#,
            plan: .asRuns, effect: .none),
        DefinitionKey(
            "new", .flag, "Of file: whether only files are read that no successful run has read. Default: false.",
            default: false,
            plan: .refused("a plan reads all of its feeds"), effect: .onStore),
        DefinitionKey(
            "member", .named("memberPath"),
            "The path of the file in an archive, a zip or a tar, that file or url lead to; of file, a pattern, too.",
            plan: .asRuns),
        DefinitionKey(
            "url", .named("address"),
            "The address of a web service: http or https, without a user and a password.", plan: .refused(services)),
        DefinitionKey(
            "command", .list(.string), "A program and its arguments: the feed is what it prints. No shell sees them.",
            plan: .refused(services)),
        DefinitionKey(
            "format", .words(of: Source.Format.self),
            #""json": exactly one document; "lines": a sequence of values (NDJSON, or RFC 7464); "csv" and "#
                + #""tsv": a table, whose rows are objects. Default: by the end of the name, else "json"."#,
            plan: .asRuns),
        DefinitionKey(
            "encoding", .text,
            #"The encoding of the feed: "windows-1252", "iso-8859-1", "utf-16", or another that iconv knows. "#
                + "Default: UTF-8.", default: "utf-8", plan: .asRuns),
    ]

    /// Of a source that is a table.
    static let table: [DefinitionKey] = [
        DefinitionKey(
            "skip", .either([.whole(0, to: 1000), .text, .list(.text)]),
            "Of a table: the rows under the header that are no records, such as one of units: how many there are, or how"
                + " they read.", default: 0,
            plan: .asRuns),
        DefinitionKey(
            "delimiter", .named("delimiter"),
            #"Of a table: what stands between two cells, one character of ASCII. Default: a comma; for "tsv" a "#
                + #"tab."#, plan: .asRuns),
        DefinitionKey(
            "quotes", .flag, "Of a table: whether cells may stand in quotation marks, which are not part of them.",
            default: true,
            plan: .asRuns),
        DefinitionKey(
            "header", .flag,
            #"Of a table: whether the first row names the columns. Default: true; with "names", false."#,
            plan: .asRuns),
        DefinitionKey(
            "headerLine", .whole(1, to: 1000),
            "Of a table: the line of the file in which the header is, where titles stand above it.", plan: .asRuns),
        DefinitionKey(
            "names", .list(.string),
            #"Of a table: the names of its columns, in their order. A column named "" is passed over."#,
            plan: .asRuns),
        DefinitionKey(
            "empty", .words(of: TableForm.EmptyCell.self),
            #"Of a table: what a cell without a character is. "quoted": the empty text if it is in quotation "#
                + #"marks, else null."#, default: "null", plan: .asRuns),
    ]

    /// Of a source whose records are lists.
    static let lists: [DefinitionKey] = [
        DefinitionKey(
            "columns", .byName(.list(.either([.string, .null]))),
            "Of documents whose records are lists: what a list in them says of the columns, by its path, such as "
                + "$.fields[*]. A run fails where it says something else. Null: a column whatever it is called.",
            plan: .asRuns, effect: .onStore)
    ]

    /// How large what is read may be.
    static let sizes: [DefinitionKey] = [
        DefinitionKey(
            "maxText", .whole(1, to: 1_000_000_000), "The most bytes that one value may have.", default: 67_108_864,
            plan: .asRuns, effect: .onStore),
        DefinitionKey(
            "maxRecord", .whole(1, to: 64_000_000_000),
            "The most bytes that a record may hold in memory until it ends.", default: 67_108_864, plan: .asRuns,
            effect: .onStore),
        DefinitionKey(
            "maxDepth", .whole(1, to: 1_000_000), "How deep values may be nested.", default: 1024, plan: .asRuns,
            effect: .onStore),
    ]

    /// Of a source that is a web service.
    static let web: [DefinitionKey] = [
        DefinitionKey(
            "for", .text,
            #"The entity for each of whose records a request is made; "url", or texts in "query" or "body", name its "#
                + "attributes in braces.",
            plan: .refused(services)),
        DefinitionKey(
            "headers", .named("headersByName"), "Headers of each request, by name.", plan: .refused(services),
            effect: .none),
        DefinitionKey(
            "query", .named("parametersByName"), "What is added to the query of the address.", plan: .refused(services)),
        DefinitionKey(
            "auth", .named("auth"), "How the service is told who asks.", plan: .refused(services), effect: .none),
        DefinitionKey(
            "body", .named("object"), "An object that is posted with each request, as JSON.", plan: .refused(services)),
        DefinitionKey(
            "pages", .named("pages"),
            "How a feed that comes in pages goes on. It ends with an empty page, too.", plan: .refused(services)),
        DefinitionKey(
            "fails", .named("fails"), "Which answers are errors, though they come with status 200.",
            plan: .refused(services), effect: .onStore),
        DefinitionKey(
            "notFound", .words(of: WebSource.NotFound.self),
            #"With for: what an answer with the status 404 says of the objects that belong to its record. "unknown": "#
                + #"nothing, so that none of them is absent. "empty": that there are none."#,
            default: "unknown", plan: .refused(services), effect: .onStore),
        DefinitionKey(
            "since", .named("since"), "Only what is newer than the store is asked for.", plan: .refused(services)),
        DefinitionKey(
            "timeout", .named("positiveDuration"), "How long the service, or the command, may be silent.",
            plan: .refused(services), effect: .none),
        DefinitionKey(
            "retries", .whole(0, to: 1000),
            "How many failures in a row, without any progress between them, are tried again.", default: 5,
            plan: .refused(services), effect: .none),
        DefinitionKey(
            "rate", .named("rate"),
            #"How many requests are made, at the most: "10/s", "100/m". Default: no limit."#, plan: .refused(services),
            effect: .none),
        DefinitionKey(
            "maxBytes", .named("size"),
            #"The most bytes of the feed, uncompressed: a number, or a size such as "4 GiB"."#, default: "16 GiB",
            plan: .refused(services), effect: .none),
        DefinitionKey(
            "parallel", .whole(1, to: 100),
            "How many sources may be downloaded beside each other, this one among them.", default: 2,
            plan: .refused(services), effect: .none),
        DefinitionKey(
            "requests", .whole(1, to: 100), "With for: how many requests are made beside each other. Default: 1.",
            default: 1, plan: .refused(services), effect: .none),
        DefinitionKey(
            "resume", .named("positiveDuration"),
            "With pages or for: for how long answers of a run that has not succeeded are good for the next.",
            plan: .refused(services), effect: .none),
        DefinitionKey(
            "cache", .named("size"),
            "With pages or for: how many bytes of answers are kept for later runs, which ask only whether they still "
                + "hold.", plan: .refused(services), effect: .none),
    ]

    static let auth: [DefinitionKey] = [
        DefinitionKey("bearer", .named("secret"), "A token."),
        DefinitionKey("basic", .named("basic"), "A user and a password."),
        DefinitionKey("header", .named("secretHeader"), "The name of one header, and its value."),
        DefinitionKey("aws", .named("aws"), "Requests are signed with keys of AWS (Signature Version 4)."),
        DefinitionKey("oauth2", .named("oauth2"), "A token is asked for first, as OAuth 2 has it (RFC 6749)."),
    ]

    static let basic: [DefinitionKey] = [
        DefinitionKey("user", .named("secret"), "The user's name."),
        DefinitionKey("password", .named("secret"), "The user's password."),
    ]

    static let aws: [DefinitionKey] = [
        DefinitionKey("service", .text, "The service, as signatures name it: execute-api."),
        DefinitionKey("region", .text, "Its region. Default: as the variables or the profile of AWS say."),
    ]

    static let oauth2: [DefinitionKey] = [
        DefinitionKey("tokenUrl", .named("address"), "The address at which a token is asked for."),
        DefinitionKey("clientId", .named("secret"), "Who asks."),
        DefinitionKey("clientSecret", .named("secret"), "The password of who asks."),
        DefinitionKey(
            "privateKey", .named("secret"), "The key with which who asks signs (RFC 7523): PEM, without a passphrase."),
        DefinitionKey("keyId", .text, "With privateKey: which of several keys it is."),
        DefinitionKey("audience", .text, "With privateKey: for whom the signature is. Default: tokenUrl."),
        DefinitionKey(
            "assertion", .flag,
            "With privateKey: whether the signature entitles to the token (RFC 7523, section 2.1). Default: false; it "
                + "only says who asks.", default: false),
        DefinitionKey("subject", .named("secret"), "With assertion: for whom the token is."),
        DefinitionKey("refreshToken", .named("secret"), "The first token that gives others (RFC 6749, section 6)."),
        DefinitionKey("deviceUrl", .named("address"), "The address at which sluice login asks for a code (RFC 8628)."),
        DefinitionKey("scope", .text, "What the token is for."),
    ]

    static let pages: [DefinitionKey] = [
        DefinitionKey(
            "next", .named("pagePath"),
            "The path of the next page's address, from the top of a page: $.links.next, $.link[?rel == 'next'].href."),
        DefinitionKey("link", .text, "The relation of the next page in the header Link (RFC 8288): next."),
        DefinitionKey(
            "cursor", .named("pagePath"),
            "The path of the next page's cursor, from the top of a page: $.meta.cursor, $.items[-1].id."),
        DefinitionKey("parameter", .text, "The parameter of the query that takes the cursor."),
        DefinitionKey("number", .text, "The parameter of the query that counts pages."),
        DefinitionKey("first", .whole(0), "The number of the first page.", default: 1),
        DefinitionKey("offset", .text, "The parameter of the query that counts what the pages before hold."),
        DefinitionKey(
            "limit", .named("pageLimit"),
            #"The parameter of the query that says how much a page holds, and how much that is: ["limit", 500]."#),
        DefinitionKey("last", .whole(0), "The last page, as counted from first (or from 1). Default: no limit."),
        DefinitionKey(
            "size", .whole(1),
            "How many records a full page has: such a page without a way to the next one is suspicious."),
        DefinitionKey(
            "total", .named("pagePath"),
            "The path of the number of records that the service says there are, from the top of a page: "
                + "$.meta.total. Fewer fail the run."),
        DefinitionKey(
            "more", .named("pagePath"),
            "The path of a value that says whether there is another page, from the top of a page: $.has_more."),
        DefinitionKey(
            "end", .named("pagePath"),
            "The path of a value that says whether the page is the last one, from the top of a page: $.isLast."),
    ]

    static let fails: [DefinitionKey] = [
        DefinitionKey(
            "where", .named("conditions"), "What an answer that is an error has, by paths from its top: conditions."),
        DefinitionKey(
            "message", .named("pagePath"), "The path of what such an answer says, from its top: $.error.message."),
    ]

    static let since: [DefinitionKey] = [
        DefinitionKey(
            "parameter", .text,
            "The parameter of the query that takes the value, or a path into body: $.variables.since."),
        DefinitionKey(
            "text", .text,
            "What is sent, with {since} where the value stands: \"updated > '{since}'\". Default: the value."),
        DefinitionKey("attribute", .text, "Entity.attribute: its highest stored value is sent."),
        DefinitionKey(
            "overlap", .named("overlap"), "What is taken off the value: a duration from a time, a number from a number."
        ),
        DefinitionKey(
            "format", .named("sinceFormat"),
            #"How a time is written: "rfc3339", "unix" (seconds), "unix-ms" (milliseconds), or a strptime format."#,
            default: "rfc3339"),
        DefinitionKey(
            "timeZone", .text,
            "With a strptime format: the time zone (such as Europe/Berlin) in which the service takes times.",
            default: "UTC"),
    ]
}
