/// What the cases say of web services.
extension DefinitionCase {
    /// With more keys of a source that is a web service.
    private static func service(_ keys: String) -> String {
        Definition.source(#""source": { "url": "https://example.org/v2/stops"\#(keys.isEmpty ? "" : ", " + keys) }"#)
    }

    /// With a source that is asked for each stop of another.
    private static func each(_ keys: String) -> String {
        #"{ "sources": { "a": { "file": "a" }, "b": { \#(keys) } }, "store": { "sqlite": "x" }, "entities": { "#
            + #""Stop": { "source": "a", "records": "$[*]", "identifier": "id", "attributes": { "id": "text", "zone": "text" } }, "#
            + #""Detail": { "source": "b", "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#
    }

    /// With a value that details take of their stop.
    private static func child(
        _ path: String, each keys: String = #""url": "https://example.org/{id}", "for": "Stop""#
    ) -> String {
        each(keys).replacing(
            #""attributes": { "id": "text" } }"#,
            with: #""attributes": { "id": "text", "stop": { "type": "text", "from": \#(path) } } }"#)
    }

    static let web = services + authentications + pagings + failings + sinces

    private static let services: [DefinitionCase] = [
        .valid(service("")),
        .valid(service(#""headers": { "Accept": "application/json", "X-Empty": "", "X": { "file": "x" } }"#)),
        .valid(service(#""query": { "format": "full", "key": { "file": "/etc/key" } }, "format": "lines""#)),
        .valid(
            service(
                #""body": { "query": "q", "variables": {} }, "pages": { "cursor": "$.a.b", "parameter": "$.variables.after" }"#
            )),
        .valid(each(#""url": "https://example.org/{id}/x?z={zone}", "for": "Stop""#)),
        .meaningless(
            each(#""url": »"https://example.org/{di}", "for": "Stop""#),
            #"there is no attribute of "Stop" "di": did you mean "id"? There are "id" and "zone""#),
        .meaningless(
            each(#""url": »"https://example.org/x", "for": "Stop""#),
            #"with "for", "url", or texts in "query" or "body", name attributes of "Stop" in braces, such as {id}"#),
        .valid(each(#""url": "https://example.org/x", "for": "Stop", "body": { "v": { "id": "{id}" } }"#)),
        .valid(each(#""url": "https://example.org/x", "for": "Stop", "query": { "stop": "{id}", "n": "5" }"#)),
        .meaningless(
            each(#""url": "https://example.org/{id}", "for": "Stop", "query": { "n": "5", "z": »"{zoen}" }"#),
            #"there is no attribute of "Stop" "zoen": did you mean "zone"? There are "id" and "zone""#),
        .meaningless(
            each(#""url": »"https://example.org/x", "for": "Stop", "query": { "q": "{a {id}}" }"#),
            #"with "for", "url", or texts in "query" or "body", name attributes of "Stop" in braces, such as {id}"#),
        .valid(
            each(#""url": "https://example.org/x", "for": "Stop", "body": { "all": ["{ id }", "stop {id}/{zone}"] }"#)),
        .meaningless(
            each(#""url": "https://example.org/x", "for": "Stop", "body": { "v": [1, »"in {zoen}"] }"#),
            #"there is no attribute of "Stop" "zoen": did you mean "zone"? There are "id" and "zone""#),
        .meaningless(
            each(
                #""url": »"https://example.org/x", "for": "Stop", "body": { "q": "{ id }", "r": "a{2}", "s": "{a {id}}" }"#
            ),
            #"with "for", "url", or texts in "query" or "body", name attributes of "Stop" in braces, such as {id}"#),
        .meaningless(
            each(#""url": "https://example.org/{id}", "for": »"Detail""#),
            #"the records of "Detail" must come from sources before this one: it is asked for each of them"#),
        .meaningless(
            each(#""url": "https://example.org/{id}", "for": »"Stpo""#),
            #"there is no entity "Stpo": did you mean "Stop"? There are "Stop" and "Detail""#),
        .valid(
            each(
                #""url": "https://example.org/{id}", "for": "Stop", "pages": { "link": "next" }, "requests": 100"#)),
        .malformed(
            each(#""url": "https://example.org/{id}", "for": "Stop", "requests": »0"#),
            #""requests" must be a whole number of at least 1 and at most 100, not the number 0"#),
        .malformed(
            each(#""url": "https://example.org/", "requests": »2"#),
            #""requests" says how many are made beside each other with "for", which the source lacks"#),
        .valid(each(#""url": "https://example.org/{id}", "for": "Stop", "notFound": "empty""#)),
        .malformed(
            each(#""url": "https://example.org/{id}", "for": "Stop", "notFound": »"none""#),
            #""notFound" must be "unknown" or "empty", not the text "none""#),
        .malformed(
            each(#""url": "https://example.org/", "notFound": »"empty""#),
            #""notFound" is about what is asked for records, with "for", which the source lacks"#),
        .meaningless(
            each(
                #""url": "https://example.org/{id}", "for": "Stop", "since": »{ "parameter": "p", "attribute": "Detail.id" }"#
            ),
            #""since" beside "for" sends the highest value of what belongs to each "Stop": "Detail" needs one to-one "#
                + #"relationship to "Stop", and has none"#),
        .valid(each(#""url": "https://example.org/{id}", "for": "Stop", "resume": "6h", "cache": "1 GiB""#)),
        .valid(service(#""pages": { "link": "next" }, "resume": "90s", "cache": 1000"#)),
        .meaningless(
            service(#"»"resume": "6h""#),
            #""resume" keeps answers that are asked for one after the other, with "pages" or "for""#),
        .meaningless(
            service(#"»"cache": 1000"#),
            #""cache" keeps answers that are asked for one after the other, with "pages" or "for""#),
        .malformed(
            service(#""pages": { "link": "next" }, "resume": »6"#),
            #""resume" must be a duration such as "30s", "10m", "2h" or "1d", not the number 6"#),
        .valid(
            service(
                #""auth": { "bearer": { "command": ["pass", "show", "feed"] } }, "query": { "k": { "command": ["./k"] } }"#
            )),
        .malformed(
            service(#""auth": { "bearer": { "command": »"pass" } }"#),
            #""command" must be a list of a program and its arguments, not the text "pass""#),
        .malformed(
            service(#""auth": { "bearer": { »"file": "a", "command": ["pass"] } }"#),
            #"the secret "bearer" has either "file" or "command""#),
        .valid(child(#""$for.zone""#)),
        .valid(child(#""$for['id']""#)),
        .meaningless(
            child(#"»"$for.zoen""#),
            #"there is no attribute of "Stop" "zoen": did you mean "zone"? There are "id" and "zone""#),
        .meaningless(
            child(#"»"$for""#),
            #""$for" must be one attribute of the record for which a service is asked, such as $for.id"#),
        .meaningless(
            child(#"»"$for.zone.x""#),
            #""$for.zone.x" must be one attribute of the record for which a service is asked, such as $for.id"#),
        .meaningless(
            child(#"»"$for.id""#, each: #""url": "https://example.org""#),
            #"$for is the record for which a service is asked, and no source of "Detail" has "for""#),
        .malformed(service(#""body": »[1]"#), #""body" must be an object, which is posted as JSON"#),
        .meaningless(
            service(#""pages": { "cursor": "$.a.b", "parameter": »"$.variables.after" }"#),
            #""$.variables.after" is a path into "body", and the source has none"#),
        .meaningless(
            service(#""body": {}, "pages": { "number": »"$.a[0]" }"#),
            #""number" must be the name of a parameter, or a path of names into "body", such as $.variables.after"#),
        .valid(service(#""timeout": "1.5 m", "retries": 0, "rate": "0.5/s", "maxBytes": "4 GiB", "parallel": 1"#)),
        .valid(service(#""timeout": "500ms", "retries": 1000, "rate": "1000/h", "maxBytes": 1, "parallel": 100"#)),
        .malformed(
            Definition.source(#""source": { »"url": "https://example.org/", "file": "a" }"#),
            #"a source has either "file" or "url""#),
        .malformed(
            Definition.source(#""source": { "url": »"ftp://example.org/feed" }"#),
            #""url" must start with https:// or http://"#),
        .malformed(
            Definition.source(#""source": { "url": »"feed.json" }"#),
            #""url" is no address such as https://example.org/feed"#),
        .malformed(
            Definition.source(#""source": { "url": »"https://me:secret@example.org/" }"#),
            #""url" cannot hold a user or a password: they belong in "auth""#),
        .malformed(
            Definition.source(#""source": { "url": »"https://example.org/a b" }"#),
            #""url" holds a space or a control character"#),
        .malformed(Definition.source(#""source": { "url": »"" }"#), #""url" cannot be empty"#),
        .malformed(
            Definition.source(#""source": { "url": »7 }"#), #""url" must be an address, not the number 7"#),
        .malformed(
            Definition.source(#""source": { "file": "a", »"retries": 3, »"auth": { "bearer": "x" } }"#),
            #""retries" is for web services, which have a "url""#, #""auth" is for web services, which have a "url""#),
        .malformed(
            service(#""headers": { »"X Y": "1", »"": "2" }"#), #""X Y" in "headers" is no name of a header"#,
            #""" in "headers" is no name of a header"#),
        .meaningless(
            service(#""headers": { »"range": "bytes=0-" }"#),
            #""range" in "headers" is a header that sluice sets itself"#),
        .meaningless(
            service(#""headers": { "X": »"a\r\nY: b" }"#),
            #""X" cannot hold a line break or another control character"#),
        .malformed(service(#""headers": »"X: secret""#), #""headers" must be an object"#),
        .malformed(
            service(#""query": { "a": »1 }"#),
            #""a" must be a text, { "file": path } or { "command": [program, argument] }"#),
        .malformed(service(#""query": { »"": "1" }"#), #""" in "query" cannot be empty"#),
        .malformed(
            service(#""timeout": »"30""#),
            #""timeout" must be a duration such as "30s", "10m", "2h" or "1d", not the text "30""#),
        .malformed(
            service(#""timeout": »"0s""#),
            #""timeout" must be a duration such as "30s", "10m", "2h" or "1d", not the text "0s""#),
        .malformed(
            service(#""rate": »"ten/s""#),
            #""rate" must be a rate such as "10/s", "100/m" or "1000/h", not the text "ten/s""#),
        .malformed(
            service(#""maxBytes": »"4 gib""#),
            #""maxBytes" must be a number of bytes, or a size such as "500 MB" or "4 GiB", not the text "4 gib""#),
        .malformed(
            service(#""retries": »-1"#),
            #""retries" must be a whole number of at least 0 and at most 1000, not the number -1"#),
        .malformed(
            service(#""parallel": »0"#),
            #""parallel" must be a whole number of at least 1 and at most 100, not the number 0"#),
    ]

    private static func oauth2(_ members: String) -> String {
        service(
            #""auth": { "oauth2": { "tokenUrl": "https://example.org/token", "clientId": "i", \#(members) } }"#)
    }

    private static let authentications: [DefinitionCase] = [
        .valid(service(#""auth": { "bearer": "t" }"#)),
        .valid(service(#""auth": { "bearer": { "file": "token" } }"#)),
        .valid(service(#""auth": { "basic": { "user": "u", "password": { "file": "p" } } }"#)),
        .valid(service(#""auth": { "header": { "X-Api-Key": "k" } }"#)),
        .valid(
            service(
                #""auth": { "oauth2": { "tokenUrl": "https://example.org/token", "clientId": "i", "clientSecret": "s", "scope": "read" } }"#
            )),
        .malformed(service(#""auth": »{}"#), #""auth" needs one of bearer, basic, header, aws, oauth2"#),
        .malformed(
            service(#""auth": »{ "bearer": "t", "header": { "X": "k" } }"#),
            #""auth" needs one of bearer, basic, header, aws, oauth2"#),
        .malformed(service(#""auth": »"t0p-secret""#), #""auth" must be an object"#),
        .malformed(service(#""auth": { "basic": »"me:secret" }"#), #""basic" must be an object"#),
        .malformed(
            service(#""auth": { "bearer": »12345 }"#),
            #""bearer" must be a text, { "file": path } or { "command": [program, argument] }"#),
        .malformed(service(#""auth": { "bearer": »"" }"#), #""bearer" cannot be empty"#),
        .malformed(
            service(#""auth": { "bearer": { »"fiel": "t" } }"#),
            #"unknown key "fiel" in the secret "bearer": did you mean "file"? Allowed here: file, command"#),
        .malformed(service(#""auth": { "basic": »{ "user": "u" } }"#), #""basic" needs "password""#),
        .meaningless(
            service(#""auth": { "basic": { "user": »"a:b", "password": "p" } }"#), #""user" cannot hold a colon"#),
        .meaningless(
            service(#""auth": { "header": »{ "X": "k", "Y": "l" } }"#),
            #""header" must name one header, with its value"#),
        .malformed(
            service(#""auth": { "oauth2": »{ "tokenUrl": "https://example.org/", "clientId": "i" } }"#),
            #""oauth2" needs "clientSecret", or "privateKey""#),
        .valid(service(#""auth": { "aws": { "service": "execute-api", "region": "eu-central-1" } }"#)),
        .malformed(service(#""auth": { "aws": »{ "region": "eu-central-1" } }"#), #""aws" needs "service""#),
        .meaningless(
            service(#""auth": { "aws": { »"service": "a:b" } }"#),
            #""service" cannot hold a colon, a space or what is not ASCII"#),
        .valid(oauth2(#""refreshToken": { "file": "t" }"#)),
        .valid(oauth2(#""clientSecret": "s", "deviceUrl": "https://example.org/device""#)),
        .valid(oauth2(#""privateKey": { "file": "k" }, "keyId": "1", "audience": "a""#)),
        .valid(oauth2(#""privateKey": { "command": ["k"] }, "assertion": true, "subject": "s""#)),
        .malformed(
            oauth2(#""clientSecret": "s", »"privateKey": { "file": "k" }"#),
            #""oauth2" has either "clientSecret" or "privateKey""#),
        .malformed(
            oauth2(#""refreshToken": "t", »"deviceUrl": "https://example.org/device""#),
            #""oauth2" has either "refreshToken" or "deviceUrl""#),
        .malformed(
            oauth2(#""clientSecret": "s", »"assertion": true"#), #""assertion" goes with "privateKey""#),
        .malformed(
            oauth2(#""privateKey": { "file": "k" }, »"subject": "s""#), #""subject" goes with "assertion""#),
        .malformed(
            oauth2(#""clientSecret": "s", »"keyId": "1""#), #""keyId" goes with "privateKey""#),
        .malformed(
            oauth2(#""deviceUrl": »"x""#), #""deviceUrl" is no address such as https://example.org/feed"#),
        .malformed(
            service(#""auth": { "oauth2": { "tokenUrl": »"x", "clientId": "i", "clientSecret": "s" } }"#),
            #""tokenUrl" is no address such as https://example.org/feed"#),
    ]

    private static let pagings: [DefinitionCase] = [
        .valid(service(#""pages": { "next": "$.links.next" }"#)),
        .valid(service(#""pages": { "next": "$['@odata.nextLink']", "last": 10 }"#)),
        .valid(service(#""pages": { "link": "next", "size": 100, "total": "$.meta.total" }"#)),
        .valid(service(#""pages": { "number": "page", "total": "$.total" }"#)),
        .malformed(
            service(#""pages": { "link": "next", "size": »0 }"#),
            #""size" must be a whole number of at least 1, not the number 0"#),
        .malformed(
            service(#""pages": { "number": "page", »"size": 100 }"#),
            #""size" goes with "next", "link" or "cursor", not with "number""#),
        .malformed(
            service(#""pages": { "link": "next", "total": »"total" }"#),
            #""total" must be a path from the top of a page to one value, such as $.links.next"#),
        .valid(service(#""pages": { "link": "next", "more": "$.has_more" }"#)),
        .valid(service(#""pages": { "cursor": "$[-1].id", "parameter": "after_id", "more": "$.page['more']" }"#)),
        .valid(service(#""pages": { "link": "next", "end": "$.isLast" }"#)),
        .valid(service(#""pages": { "next": "$.link[?relation == 'next'].url" }"#)),
        .meaningless(
            service(#""pages": { "next": »"$.link[?relation != 'self'].url" }"#),
            #""next" must be a path from the top of a page to one value, such as $.links.next"#),
        .meaningless(
            service(#""pages": { "next": »"$.pages[-1].link[?relation == 'next'].url" }"#),
            #""next" must be a path from the top of a page to one value, such as $.links.next"#),
        .meaningless(
            service(#""pages": { "link": "next", "total": »"$.a[?b == 'c'].total" }"#),
            #""total" must be a path from the top of a page to one value, such as $.links.next"#),
        .meaningless(
            service(#""pages": { "link": "next", "end": "$.isLast", »"more": "$.has_more" }"#),
            #""more" and "end" say the same of a page: it takes one of them"#),
        .meaningless(
            service(#""pages": { "next": »"$.a[-2].id" }"#),
            #""next" must be a path from the top of a page to one value, such as $.links.next"#),
        .meaningless(
            service(#""pages": { "link": "next", "more": »"$.a[-1]" }"#),
            #""more" must be a path from the top of a page to one value, such as $.links.next"#),
        .valid(service(#""pages": { "cursor": "$.meta.cursor", "parameter": "cursor" }"#)),
        .valid(service(#""pages": { "number": "page", "first": 0, "last": 0 }"#)),
        .valid(service(#""pages": { "offset": "offset", "limit": ["limit", 500] }"#)),
        .malformed(service(#""pages": »{}"#), #""pages" needs one of next, link, cursor, number, offset"#),
        .malformed(
            service(#""pages": »{ "next": "$.a", "number": "p" }"#),
            #""pages" needs one of next, link, cursor, number, offset"#),
        .malformed(service(#""pages": »{ "cursor": "$.a" }"#), #""pages" needs "parameter""#),
        .malformed(
            service(#""pages": { "next": "$.a", »"parameter": "p" }"#),
            #""parameter" goes with "cursor", not with "next""#),
        .malformed(
            service(#""pages": { "link": "next", »"first": 1 }"#), #""first" goes with "number", not with "link""#),
        .malformed(
            service(#""pages": { "next": »"links.next" }"#),
            #""next" must be a path from the top of a page to one value, such as $.links.next"#),
        .meaningless(
            service(#""pages": { "next": »"$.links[*]" }"#),
            #""next" must be a path from the top of a page to one value, such as $.links.next"#),
        .meaningless(
            service(#""pages": { "cursor": »"$.a[", "parameter": "p" }"#),
            #""cursor" is no path: expected an index, * or a name in quotes"#),
        .malformed(
            service(#""pages": { "offset": "o", "limit": »500 }"#),
            #""limit" must be a list of the parameter's name and the records of a page, not the number 500"#),
        .meaningless(
            service(#""pages": { "offset": "o", "limit": »["l", "500"] }"#),
            #""limit" must be a list of the parameter's name and the records of a page, not a list"#),
        .meaningless(
            service(#""pages": { "number": "p", "first": 5, "last": »4 }"#),
            #""last" must be a whole number of at least 5, not the number 4"#),
    ]

    private static let failings: [DefinitionCase] = [
        .valid(service(#""fails": { "where": { "$.ok": false }, "message": "$.error['text']" }"#)),
        .valid(service(#""fails": { "where": { "any": [{ "$.a[0].b": { "present": true } }, { "$": null }] } }"#)),
        .malformed(service(#""fails": »{ "message": "$.a" }"#), #""fails" needs "where""#),
        .malformed(service(#""fails": { "where": »{} }"#), #""where" must name at least one path, with its value"#),
        .meaningless(
            service(#""fails": { "where": { »"ok": false } }"#),
            #""ok" must be a path from the top of an answer to one value, such as $.status"#),
        .meaningless(
            service(#""fails": { "where": { »"$.errors[*]": "x" }, "message": »"$.a[*]" }"#),
            #""$.errors[*]" must be a path from the top of an answer to one value, such as $.status"#,
            #""$.a[*]" must be a path from the top of an answer to one value, such as $.status"#),
        .malformed(
            Definition.source(#""source": { "file": "a", »"fails": { "where": { "$.a": 1 } } }"#),
            #""fails" is for web services, which have a "url""#),
        .meaningless(
            service(#""format": "lines", »"fails": { "where": { "$.a": 1 } }"#),
            #""fails" is for answers that are one document of JSON"#),
    ]

    /// With an attribute of a type, and more keys of the entity.
    private static func since(_ since: String, type: String = "datetime", entity: String = "") -> String {
        """
        {
          "source": { "url": "https://example.org/", "since": \(since) },
          "store": { "sqlite": "s" },
          "entities": {
            "Stop": {
              "records": "$[*]", "identifier": "id",
              "attributes": { "id": "text", "changed": "\(type)" }\(entity)
            }
          }
        }
        """
    }

    private static let sinces: [DefinitionCase] = [
        .valid(since(#"{ "parameter": "since", "attribute": "Stop.changed", "overlap": "10m", "format": "unix" }"#)),
        .valid(since(#"{ "parameter": "since", "attribute": "Stop.changed", "overlap": "1d" }"#, type: "date")),
        .valid(since(#"{ "parameter": "since", "attribute": "Stop.changed", "overlap": 10 }"#, type: "integer")),
        .valid(since(#"{ "parameter": "since", "attribute": "Stop.id" }"#)),
        .malformed(since(#"»{ "attribute": "Stop.id" }"#), #""since" needs "parameter""#),
        .meaningless(
            since(#"{ "parameter": "since", "attribute": »"Stop.chnged" }"#),
            #"there is no attribute "Stop.chnged": did you mean "Stop.changed"? There are "Stop.id" and "Stop.changed""#
        ),
        .meaningless(
            since(#"{ "parameter": "since", "attribute": »"Stop.changed" }"#, type: "boolean"),
            #""attribute" must be a date, a datetime, a number or a text, which "Stop.changed" is not"#),
        .meaningless(
            since(#"{ "parameter": "since", "attribute": "Stop.changed", "overlap": »10 }"#),
            #""overlap" must be a duration such as "30s", "10m", "2h" or "1d", not the number 10"#),
        .meaningless(
            since(#"{ "parameter": "since", "attribute": "Stop.changed", "overlap": »"10m" }"#, type: "integer"),
            #""overlap" must be a number of at least 0, not the text "10m""#),
        .meaningless(
            since(#"{ "parameter": "since", "attribute": "Stop.id", »"overlap": "10m" }"#),
            #""overlap" cannot be taken off a text"#),
        .meaningless(
            since(#"{ "parameter": "since", "attribute": "Stop.id", »"format": "unix" }"#),
            #""format" is for times, and "Stop.id" is none"#),
        .valid(
            since(
                #"{ "parameter": "since", "attribute": "Stop.changed", "format": "%d.%m.%Y %R", "timeZone": "Europe/Berlin" }"#
            )),
        .malformed(
            since(#"{ "parameter": "since", "attribute": "Stop.changed", "format": »"epoch" }"#),
            #""format" must be "rfc3339", "unix" or "unix-ms", or a format with a year, a month and a day, such as %Y-%m-%d %H:%M:%S"#
        ),
        .meaningless(
            since(#"{ "parameter": "since", "attribute": "Stop.changed", "format": »"%H:%M" }"#),
            #""format" must be "rfc3339", "unix" or "unix-ms", or a format with a year, a month and a day, such as %Y-%m-%d %H:%M:%S"#
        ),
        .meaningless(
            since(#"{ "parameter": "since", "attribute": "Stop.changed", "format": »"%F %T%z" }"#),
            #""format" has the field %z, in which no time can be sent: "rfc3339", "unix", "unix-ms", or a format of %Y, %m, %d, %H, %M, %S, %y, %j, %b, %B, %e, %F, %T, %D and %R"#
        ),
        .meaningless(
            since(#"{ "parameter": "since", "attribute": "Stop.changed", "format": »"%F %H" }"#, type: "date"),
            #""format" has a time, and the attribute is a date"#),
        .malformed(
            since(#"{ "parameter": "since", "attribute": "Stop.changed", »"timeZone": "UTC" }"#),
            #""timeZone" needs a "format" beside it, such as %Y-%m-%d %H:%M:%S"#),
        .meaningless(
            since(#"{ "parameter": "since", "attribute": "Stop.changed", "format": "unix", »"timeZone": "UTC" }"#),
            #""timeZone" is for times that are written in local time, and not for unix"#),
        .valid(since(#"{ "parameter": "since", "attribute": "Stop.changed" }"#, entity: #", "absent": "delete""#)),
    ]
}
