/// The keys of sources.
extension KeyTable {
    static let source = location + table + sizes + web

    /// Where a source is, and how it is written.
    static let location: [DefinitionKey] = [
        DefinitionKey(
            "file",
            #"A path, or a pattern with *, ? or […] that names several files, relative to the definition's "#
                + #"folder; "-" is standard input; "s3://bucket/key" is an object, or a pattern of objects, of a service that "#
                + #"speaks S3; "sftp://user@host/path" is a file of another machine. Compressed files are read as they are."#,
            plan: .asRuns),
        DefinitionKey(
            "new", "Of file: whether only files are read that no successful run has read. Default: false.",
            plan: .refused("a plan reads all of its feeds")),
        DefinitionKey(
            "member",
            "The path of the file in an archive, a zip or a tar, that file or url lead to; of file, a pattern, too.",
            plan: .asRuns),
        DefinitionKey(
            "url",
            "The address of a web service: http or https, without a user and a password.", plan: .refused(services)),
        DefinitionKey(
            "command", "A program and its arguments: the feed is what it prints. No shell sees them.",
            plan: .refused(services)),
        DefinitionKey(
            "format",
            #""json": exactly one document; "lines": a sequence of values (NDJSON, or RFC 7464); "csv" and "#
                + #""tsv": a table, whose rows are objects. Default: by the end of the name, else "json"."#,
            plan: .asRuns),
        DefinitionKey(
            "encoding",
            #"The encoding of the feed: "windows-1252", "iso-8859-1", "utf-16", or another that iconv knows. "#
                + "Default: UTF-8.", plan: .asRuns),
    ]

    /// Of a source that is a table.
    static let table: [DefinitionKey] = [
        DefinitionKey(
            "skip", "Of a table: how many rows under the header are no records, such as one of units.", plan: .asRuns),
        DefinitionKey(
            "delimiter",
            #"Of a table: what stands between two cells, one character of ASCII. Default: a comma; for "tsv" a "#
                + #"tab."#, plan: .asRuns),
        DefinitionKey(
            "quotes", "Of a table: whether cells may stand in quotation marks, which are not part of them.",
            plan: .asRuns),
        DefinitionKey(
            "header", #"Of a table: whether the first row names the columns. Default: true; with "names", false."#,
            plan: .asRuns),
        DefinitionKey(
            "names", #"Of a table: the names of its columns, in their order. A column named "" is passed over."#,
            plan: .asRuns),
        DefinitionKey(
            "empty",
            #"Of a table: what a cell without a character is. "quoted": the empty text if it is in quotation "#
                + #"marks, else null."#, plan: .asRuns),
    ]

    /// How large what is read may be.
    static let sizes: [DefinitionKey] = [
        DefinitionKey("maxText", "The most bytes that one value may have.", plan: .asRuns),
        DefinitionKey("maxRecord", "The most bytes that a record may hold in memory until it ends.", plan: .asRuns),
        DefinitionKey("maxDepth", "How deep values may be nested.", plan: .asRuns),
    ]

    /// Of a source that is a web service.
    static let web: [DefinitionKey] = [
        DefinitionKey(
            "for",
            #"The entity for each of whose records a request is made; "url" names its attributes in braces."#,
            plan: .refused(services)),
        DefinitionKey("headers", "Headers of each request, by name.", plan: .refused(services)),
        DefinitionKey("query", "What is added to the query of the address.", plan: .refused(services)),
        DefinitionKey("auth", "How the service is told who asks.", plan: .refused(services)),
        DefinitionKey("body", "An object that is posted with each request, as JSON.", plan: .refused(services)),
        DefinitionKey(
            "pages",
            "How a feed that comes in pages goes on. It ends with an empty page, too.", plan: .refused(services)),
        DefinitionKey(
            "fails", "Which answers are errors, though they come with status 200.", plan: .refused(services)),
        DefinitionKey("since", "Only what is newer than the store is asked for.", plan: .refused(services)),
        DefinitionKey("timeout", "How long the service, or the command, may be silent.", plan: .refused(services)),
        DefinitionKey(
            "retries",
            "How many failures in a row, without any progress between them, are tried again.", plan: .refused(services)),
        DefinitionKey(
            "rate",
            #"How many requests are made, at the most: "10/s", "100/m". Default: no limit."#, plan: .refused(services)),
        DefinitionKey(
            "maxBytes",
            #"The most bytes of the feed, uncompressed: a number, or a size such as "4 GiB"."#, plan: .refused(services)
        ),
        DefinitionKey(
            "parallel",
            "How many sources may be downloaded beside each other, this one among them.", plan: .refused(services)),
        DefinitionKey(
            "requests", "With for: how many requests are made beside each other. Default: 1.", plan: .refused(services)),
        DefinitionKey(
            "resume",
            "With pages or for: for how long answers of a run that has not succeeded are good for the next.",
            plan: .refused(services)),
        DefinitionKey(
            "cache",
            "With pages or for: how many bytes of answers are kept for later runs, which ask only whether they still "
                + "hold.", plan: .refused(services)),
    ]

    static let auth: [DefinitionKey] = [
        DefinitionKey("bearer", "A token."),
        DefinitionKey("basic", "A user and a password."),
        DefinitionKey("header", "The name of one header, and its value."),
        DefinitionKey("aws", "Requests are signed with keys of AWS (Signature Version 4)."),
        DefinitionKey("oauth2", "A token is asked for first, as OAuth 2 has it (RFC 6749)."),
    ]

    static let basic: [DefinitionKey] = [
        DefinitionKey("user", "The user's name."),
        DefinitionKey("password", "The user's password."),
    ]

    static let aws: [DefinitionKey] = [
        DefinitionKey("service", "The service, as signatures name it: execute-api."),
        DefinitionKey("region", "Its region. Default: as the variables or the profile of AWS say."),
    ]

    static let oauth2: [DefinitionKey] = [
        DefinitionKey("tokenUrl", "The address at which a token is asked for."),
        DefinitionKey("clientId", "Who asks."),
        DefinitionKey("clientSecret", "The password of who asks."),
        DefinitionKey("privateKey", "The key with which who asks signs (RFC 7523): PEM, without a passphrase."),
        DefinitionKey("keyId", "With privateKey: which of several keys it is."),
        DefinitionKey("audience", "With privateKey: for whom the signature is. Default: tokenUrl."),
        DefinitionKey(
            "assertion",
            "With privateKey: whether the signature entitles to the token (RFC 7523, section 2.1). Default: false; it "
                + "only says who asks."),
        DefinitionKey("subject", "With assertion: for whom the token is."),
        DefinitionKey("refreshToken", "The first token that gives others (RFC 6749, section 6)."),
        DefinitionKey("deviceUrl", "The address at which sluice login asks for a code (RFC 8628)."),
        DefinitionKey("scope", "What the token is for."),
    ]

    static let pages: [DefinitionKey] = [
        DefinitionKey("next", "The path of the next page's address, from the top of a page: $.links.next."),
        DefinitionKey("link", "The relation of the next page in the header Link (RFC 8288): next."),
        DefinitionKey(
            "cursor", "The path of the next page's cursor, from the top of a page: $.meta.cursor, $.items[-1].id."),
        DefinitionKey("parameter", "The parameter of the query that takes the cursor."),
        DefinitionKey("number", "The parameter of the query that counts pages."),
        DefinitionKey("first", "The number of the first page."),
        DefinitionKey("offset", "The parameter of the query that counts what the pages before hold."),
        DefinitionKey(
            "limit",
            #"The parameter of the query that says how much a page holds, and how much that is: ["limit", 500]."#),
        DefinitionKey("last", "The last page, as counted from first (or from 1). Default: no limit."),
        DefinitionKey(
            "size", "How many records a full page has: such a page without a way to the next one is suspicious."),
        DefinitionKey(
            "total",
            "The path of the number of records that the service says there are, from the top of a page: "
                + "$.meta.total. Fewer fail the run."),
        DefinitionKey(
            "more",
            "The path of a value that says whether there is another page, from the top of a page: $.has_more."),
    ]

    static let fails: [DefinitionKey] = [
        DefinitionKey("where", "What an answer that is an error has, by paths from its top: conditions."),
        DefinitionKey("message", "The path of what such an answer says, from its top: $.error.message."),
    ]

    static let since: [DefinitionKey] = [
        DefinitionKey("parameter", "The parameter of the query that takes the value."),
        DefinitionKey("attribute", "Entity.attribute: its highest stored value is sent."),
        DefinitionKey("overlap", "What is taken off the value: a duration from a time, a number from a number."),
        DefinitionKey("format", "How a time is written. Default: rfc3339."),
    ]
}
