/// What the cases say of pipeline.
extension DefinitionCase {
    static let pipeline: [DefinitionCase] = [
        .valid(Definition.pipeline(#""views": true"#)),
        .malformed(Definition.pipeline(#""views": »"yes""#), #""views" must be true or false, not the text "yes""#),
        .valid(Definition.pipeline(#""#)),
        .valid(
            Definition.pipeline(
                #""$schema": "pipeline.schema.json", "name": "x", "batchSize": 1, "commit": "batch", "findings": "f.ndjson""#
            )),
        .valid(Definition.pipeline(#""batchSize": 5e3"#)),
        .valid(
            Definition.pipeline(
                #""limits": { "rejects": 3, "unresolved": "0.5%", "duplicates": null, "deletes": "100%", "missing": 2 }"#
            )),
        .valid(Definition.pipeline(#""limits": { "missing": null }"#)),
        .malformed(
            Definition.pipeline(#""limits": { "missing": »"10%" }"#),
            #""missing" must be a whole number, or null, not the text "10%""#),
        .valid(Definition.pipeline(#""archive": { "directory": "archive", "keep": 7 }"#)),
        .valid(Definition.pipeline(#""archive": { "directory": "archive" }"#)),
        .valid(Definition.pipeline(#""ledger": { "keep": 7 }"#)),
        .valid(Definition.pipeline(#""ledger": { "keep": null }"#)),
        .valid(Definition.pipeline(#""ledger": {}"#)),
        .valid(Definition.pipeline(#""seed": { "directory": "seeds", "keep": 3, "level": 19, "sign": "key.pem" }"#)),
        .valid(Definition.pipeline(#""history": true"#)),
        .valid(Definition.pipeline(#""history": false"#)),
        .valid(Definition.pipeline(#""history": {}"#)),
        .valid(Definition.pipeline(#""history": { "keep": 90 }"#)),
        .valid(Definition.pipeline(#""history": { "keep": "400 days" }"#)),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "sqlite": "x" }, "history": false, "entities": { "A": { "records": "$", "identifier": "id", »"history": true, "attributes": { "id": "text" } } } }"#,
            #"the "history" of the pipeline is false, which forgets that of all entities"#),
        .valid(
            #"{ "source": { "file": "x" }, "store": { "postgresql": { "database": "dbname=x" } }, "history": true, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#
        ),
        .malformed(
            Definition.pipeline(#""history": »"yes""#),
            #""history" must be true, false or an object, not the text "yes""#),
        .malformed(
            Definition.pipeline(#""history": { "keep": »0 }"#),
            #""keep" must be a whole number of at least 1, or days, such as "400 days", not the number 0"#),
        .malformed(
            Definition.pipeline(#""history": { "keep": »"400 nights" }"#),
            #""keep" must be a whole number of at least 1, or days, such as "400 days", not the text "400 nights""#),
        .valid(Definition.pipeline(#""checks": {}"#)),
        .valid(
            Definition.pipeline(
                #""checks": { "a b": { "sql": "SELECT 1", "entity": "Stop", "limit": 3, "severity": "warning", "timeout": "5m" } }"#
            )),
        .valid(
            Definition.pipeline(#""checks": { "x": { "sql": ["SELECT 1", "WHERE 1 = 2"], "limit": null } }"#)),
        .malformed(Definition.pipeline(#""checks": »[]"#), #""checks" must be an object, not an empty list"#),
        .malformed(Definition.pipeline(#""checks": { "x": »{} }"#), #"the check "x" needs "sql""#),
        .malformed(Definition.pipeline(#""checks": { »"": { "sql": "SELECT 1" } }"#), #"a check needs a name"#),
        .malformed(
            Definition.pipeline(#""checks": { "x": { "sql": »7 } }"#), #""sql" must be a text, not the number 7"#),
        .malformed(
            Definition.pipeline(#""checks": { "x": { "sql": "SELECT 1", »"limits": 2 } }"#),
            #"unknown key "limits" in the check "x": did you mean "limit"? Allowed here: sql, entity, limit, severity, timeout"#
        ),
        .malformed(
            Definition.pipeline(#""checks": { "x": { "sql": "SELECT 1", "limit": »"2%" } }"#),
            #""limit" must be a whole number, or null, not the text "2%""#),
        .malformed(
            Definition.pipeline(#""checks": { "x": { "sql": "SELECT 1", "severity": »"fatal" } }"#),
            #""severity" must be "error" or "warning", not the text "fatal""#),
        .meaningless(
            Definition.pipeline(#""checks": { "x": { "sql": "SELECT 1", "timeout": »"soon" } }"#),
            #""timeout" must be a time such as 30s, 10m or 2h, not the text "soon""#),
        .meaningless(
            Definition.pipeline(#""checks": { "x": { "sql": "SELECT 1", "entity": »"Stpo" } }"#),
            #"there is no entity "Stpo": did you mean "Stop"? There are "Stop", "Place" and "Line""#),
        .valid(Definition.pipeline(#""seed": {}"#)),
        .malformed(
            Definition.pipeline(#""seed": { "level": »20 }"#),
            #""level" must be a whole number of at least 1 and at most 19, not the number 20"#),
        .malformed(
            Definition.pipeline(#""seed": { "keep": »0 }"#),
            #""keep" must be a whole number of at least 1, not the number 0"#),
        .malformed(
            Definition.pipeline(#""seed": { "directory": »7 }"#),
            #""directory" must be the path of a file, not the number 7"#),
        .malformed(
            Definition.pipeline(#""ledger": { "keep": »0 }"#),
            #""keep" must be a whole number of at least 1, or null for all, not the number 0"#),
        .malformed(
            Definition.pipeline(#""ledger": { "keep": »"7" }"#),
            #""keep" must be a whole number of at least 1, or null for all, not the text "7""#),
        .malformed(
            Definition.pipeline(#""ledger": »1000"#),
            #""ledger" must be an object, not the number 1000"#),
        .valid(
            Definition.pipeline(
                #""name": "$${x} ${y:-}z", "commit": "${COMMIT:-batch}", "limits": { "deletes": "${SHARE:-5}%" }"#)),
        .malformed(
            #"»[]"#,
            #"the pipeline must be an object, not an empty list"#),
        .malformed(
            #"{ "entities": »{} , "source": { "file": "x" }, "store": { "sqlite": "x" } }"#,
            #""entities" must hold at least one entity"#),
        .malformed(
            #"»»»{}"#,
            #"the pipeline needs "source", or "sources""#,
            #"the pipeline needs "store""#,
            #"the pipeline needs "entities""#),
        .malformed(
            Definition.pipeline(#"»"batchsize": 5"#),
            #"unknown key "batchsize" in the pipeline: did you mean "batchSize"?"#
        ),
        .malformed(
            Definition.pipeline(#"»"entitys": {}"#),
            #"unknown key "entitys" in the pipeline: did you mean "entities"?"#
        ),
        .malformed(
            Definition.pipeline(#"»"zzz": 1"#),
            #"unknown key "zzz" in the pipeline; allowed here: $schema, name, source, sources, store, batchSize, commit, limits, checks, archive, ledger, changes, fingerprints, onAbsent, history, findings, after, views, names, seed, bases, entities"#
        ),
        .meaningless(
            Definition.pipeline(#""name": "a", »"name": "b""#),
            #"the key "name" is repeated in the pipeline"#),
        .malformed(
            Definition.pipeline(#""name": »5"#),
            #""name" must be a text, not the number 5"#),
        .malformed(
            Definition.pipeline(#""name": »"""#),
            #""name" cannot be empty"#),
        .malformed(
            Definition.pipeline(#""batchSize": »0"#),
            #""batchSize" must be a whole number of at least 1, not the number 0"#),
        .malformed(
            Definition.pipeline(#""batchSize": »1.5"#),
            #""batchSize" must be a whole number of at least 1, not the number 1.5"#),
        .malformed(
            Definition.pipeline(#""batchSize": »"5000""#),
            #""batchSize" must be a whole number of at least 1, not the text "5000""#),
        .malformed(
            Definition.pipeline(#""commit": »"runs""#),
            #""commit" must be "run" or "batch", not the text "runs": did you mean "run"?"#),
        .malformed(
            Definition.pipeline(#""commit": »true"#),
            #""commit" must be "run" or "batch", not true"#),
        .malformed(
            Definition.pipeline(#""limits": »[]"#),
            #""limits" must be an object, not an empty list"#),
        .malformed(
            Definition.pipeline(#""limits": { »"reject": 0 }"#),
            #"unknown key "reject" in "limits": did you mean "rejects"?"#
        ),
        .malformed(
            Definition.pipeline(
                #""limits": { "rejects": »-1, "deletes": »"10", "duplicates": »"101%", "unresolved": »"1.%" }"#),
            #""rejects" must be a whole number, a share from "0%" to "100%", or null, not the number -1"#,
            #""deletes" must be a whole number, a share from "0%" to "100%", or null, not the text "10""#,
            #""duplicates" must be a whole number, a share from "0%" to "100%", or null, not the text "101%""#,
            #""unresolved" must be a whole number, a share from "0%" to "100%", or null, not the text "1.%""#),
        .valid(Definition.pipeline(#""limits": { "records": "50%" }"#)),
        .valid(Definition.pipeline(#""limits": { "records": null }"#)),
        .malformed(
            Definition.pipeline(#""limits": { "records": »"half" }"#),
            #""records" must be a whole number, a share from "0%" to "100%", or null, not the text "half""#),
        .malformed(
            Definition.pipeline(#""archive": »"dir""#),
            #""archive" must be an object, not the text "dir", as in { "directory": "dir" }"#),
        .malformed(
            #"{ "source": { "file": "x" }, "store": »"x.sqlite", "entities": »3 }"#,
            #""store" must be an object, not the text "x.sqlite", as in { "sqlite": "x.sqlite" }"#,
            #""entities" must be an object, not the number 3"#),
        .malformed(
            Definition.pipeline(#""after": »["notify", "x"]"#),
            #""after" must be an object, not a list, as in { "failed": ["notify", "x"] }"#),
        .malformed(
            Definition.pipeline(#""after": »"notify""#),
            #""after" must be an object, not the text "notify", as in { "failed": ["notify"] }"#),
        .malformed(
            Definition.pipeline(#""archive": »{ "keep": »0 }"#),
            #""archive" needs "directory""#,
            #""keep" must be a whole number of at least 1, not the number 0"#),
        .valid(Definition.pipeline(#""after": {}"#)),
        .valid(
            Definition.pipeline(
                #""after": { "succeeded": ["a", ""], "failed": [["a"], ["b", "c"]], "unchanged": { "run": ["a"] }, "cancelled": [["a"], { "run": ["b", "{entity}"], "per": "entity", "timeout": "1m30s" }] }"#
            )),
        .malformed(
            Definition.pipeline(#""after": »[]"#),
            #""after" must be an object, not an empty list"#),
        .malformed(
            Definition.pipeline(#""after": { »"suceeded": ["a"] }"#),
            #"unknown key "suceeded" in "after": did you mean "succeeded"? Allowed here: succeeded, failed, unchanged, cancelled"#
        ),
        .malformed(
            Definition.pipeline(
                #""after": { "failed": »"mail me", "succeeded": »[], "unchanged": [»5], "cancelled": [»[]] }"#),
            #""failed" must be a command (a list of a program and its arguments), or a list of commands, not the text "mail me""#,
            #""succeeded" must be a command (a list of a program and its arguments), or a list of commands, not an empty list"#,
            #""unchanged" must be a command (a list of a program and its arguments), or a list of commands, not the number 5"#,
            #""cancelled" must be a list of a program and its arguments, not an empty list"#
        ),
        .malformed(
            Definition.pipeline(#""after": { "failed": ["a", »5], "succeeded": [["a"], »"b"] }"#),
            #""failed" must be a list of texts, a program and its arguments, not the number 5"#,
            #""succeeded" must be a command (a list of a program and its arguments), or a list of commands, not the text "b""#
        ),
        .malformed(
            Definition.pipeline(
                #""after": { "failed": »{ "per": "run" }, "succeeded": { "run": ["a"], "per": »"record" } }"#),
            #"the command needs "run""#,
            #""per" must be "run" or "entity", not the text "record""#),
        .meaningless(
            Definition.pipeline(
                #""after": { "failed": »["a", "{entity}"], "succeeded": { "run": [»""], "timeout": »"5" } }"#),
            #""{entity}" needs { "run": […], "per": "entity" }: then the command is started once for each entity that changed"#,
            #"the program has no name"#,
            #""timeout" must be a time such as 30s, 10m or 2h, not the text "5""#
        ),
        .meaningless(
            Definition.pipeline(#""after": { "failed": ["a", »"b\u0000"] }"#),
            #"an argument cannot hold a NUL"#),
        .malformed(
            Definition.pipeline(#""findings": »{}"#),
            #""findings" must be the path of a file, not an object"#),
        .malformed(
            Definition.pipeline(#""findings": »"""#),
            #""findings" must be the path of a file, not an empty text"#),
        .meaningless(
            Definition.pipeline(#""findings": »"a\u0000b""#),
            #""findings" cannot hold a NUL, as no path can"#),
        .meaningless(
            Definition.pipeline(#""name": »"${1}""#),
            #""${1}" is no variable: write ${NAME} or ${NAME:-default}, and $${ for a literal ${"#),
        .meaningless(
            Definition.pipeline(#""name": »"${NAME""#),
            #"this variable has no end: write ${NAME} or ${NAME:-default}, and $${ for a literal ${"#),
        .meaningless(
            Definition.pipeline(#""name": »"${NAME-x}""#),
            #""${NAME-x}" is no variable: write ${NAME} or ${NAME:-default}, and $${ for a literal ${"#),
        .malformed(
            Definition.pipeline(#""$schema": »1"#),
            #""$schema" must be a text, not the number 1"#),
        .malformed(
            #"{ "source": { "file": "x" }, "store": »{ "sqlite": "x", "postgresql": { "database": "dbname=x" } }, "entities": »3 }"#,
            #"a store is one of "sqlite" and "postgresql""#,
            #""entities" must be an object, not the number 3"#
        ),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "postgresql": { "database": »"postgresql://a:b@c/d" } }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #""database" cannot hold a password: say "password": { "file": path } or ${NAME} beside it"#
        ),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "postgresql": { "database": "dbname=x", "password": »"geheim" } }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #"a password does not stand in a definition: say { "file": path } or "${NAME}""#
        ),
        .malformed(
            #"{ "source": { "file": "x" }, "store": { "postgresql": »{ "schema": "y", »"tsl": "require" } }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #""postgresql" needs "database""#,
            #"unknown key "tsl" in "postgresql": did you mean "tls"? Allowed here: database, schema, password, tls, certificates, foreignKeys"#
        ),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "postgresql": { "database": »"transit.sqlite", "schema": "y" } }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #""database" is neither a URI such as postgresql://user@host/database nor a list of keywords such as host=db.example.org dbname=transit user=importer"#
        ),
        .meaningless(
            #"{ "source": { "file": "x" }, "store": { "postgresql": { "database": "dbname=x", »"schema": "pg_x" } }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
            #"the schema pg_x has a name that PostgreSQL keeps for itself"#
        ),
        .valid(
            #"{ "source": { "file": "x" }, "store": { "postgresql": { "database": "postgresql://importer@db.example.org/transit", "schema": "transit", "password": { "file": "db-password" }, "tls": "verify-full", "certificates": "ca.pem", "foreignKeys": true } }, "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#
        ),
        .malformed(
            #"{ "source": { "file": "x" }, "store": { »"sqlit": "x" }, "entities": »3 }"#,
            #"unknown key "sqlit" in "store": did you mean "sqlite"? Allowed here: sqlite, postgresql"#,
            #""entities" must be an object, not the number 3"#),
        .malformed(
            #"{ "source": { "file": "x" }, "store": { "sqlite": »5 }, "entities": »null }"#,
            #""sqlite" must be the path of a file, not the number 5"#,
            #""entities" must be an object, not null"#),
        .malformed(
            #"{ "source": { "file": "x" }, "store": { "sqlite": »":memory:" }, "entities": { "A": »null } }"#,
            #"a store is a file; a run with --dry-run keeps nothing"#,
            #"the entity "A" must be an object, not null"#),
    ]
}
