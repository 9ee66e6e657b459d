import SluiceRecords

/// The keys of values and attributes.
extension KeyTable {
    static let value: [DefinitionKey] = [
        DefinitionKey(
            "from", .either([.named("value"), .list(.named("value"))]),
            "Where the value is: a path, an object with the keys of a value, or a list of those, of which the "
                + "first that is not null counts. Default: the member with the name of the attribute or relationship.",
            plan: .asRuns, of: [.usual, .json]),
        DefinitionKey(
            "value", .named("constant"), #"Instead of "from": the value itself, the same for all records."#,
            plan: .asRuns),
        DefinitionKey(
            "oneOrMany", .flag, #"With "many": the path may lead to one value, or to a list of them."#,
            default: false, plan: .asRuns, of: .records),
        DefinitionKey(
            "join", .list(.named("value")),
            #"Instead of "from": values that are put together to one text. Null if any of them is null."#,
            plan: .asRuns),
        DefinitionKey("with", .string, #"What "join" puts between the values."#, default: "/", plan: .asRuns),
        DefinitionKey("trim", .flag, "Cuts white space at both ends.", default: false, plan: .asRuns),
        DefinitionKey(
            "nullIf", .either([.named("plainValue"), .list(.named("plainValue"))]),
            "Texts, numbers or booleans that mean null.", plan: .asRuns),
        DefinitionKey(
            "match", .text,
            "A regular expression (PCRE2): the value becomes its first group, or the whole match if it has no "
                + "group; null where it does not match.", plan: .asRuns),
        DefinitionKey(
            "map", .byName(.named("scalar")),
            #"What each text becomes. A text that is not in the map is a reject, unless the map has the key "*"."#,
            plan: .asRuns),
        DefinitionKey(
            "split", .text,
            #"With "many": the separator at which one text becomes several values, which are trimmed; empty ones "#
                + #"are dropped."#, plan: .asRuns, of: .records),
        DefinitionKey(
            "matches", .text,
            #"With "many": a regular expression (PCRE2), of which each match becomes a value: its first group, "#
                + #"or the whole match if it has no group."#, plan: .asRuns, of: .records),
        DefinitionKey("default", .any, "What null or absent becomes.", plan: .asRuns, of: [.usual, .json]),
    ]

    static let attribute = type + value + ofAttributes

    static let type: [DefinitionKey] = [
        DefinitionKey("type", .named("type"), "What the column holds.", plan: .asRuns, of: .all)
    ]

    /// What only attributes have.
    static let ofAttributes: [DefinitionKey] = [
        DefinitionKey(
            "many", .flag, "Whether the value is a list, stored as a JSON array.", default: false, plan: .asRuns,
            of: .records),
        DefinitionKey(
            "required", .flag, "A record without a value, or with null, is a reject.", default: false, plan: .asRuns),
        DefinitionKey(
            "format", .named("textOrTexts"),
            #"How dates are written: a strptime format, for datetime also "rfc3339", "unix" (seconds) or "unix-ms" "#
                + #"(milliseconds), or a list of these. Of a duration: what a number counts, "ms", "m", "h" or "d", or what two parts are, "#
                + #""m:s" or "h:m", or "hhmm", 0930. Default: YYYY-MM-DD for date, RFC 3339 for datetime, seconds for duration."#,
            plan: .asRuns),
        DefinitionKey(
            "decimalMark", .words([",", "."]), #"For numbers in texts: what stands before the fraction, "," or "."."#,
            plan: .asRuns),
        DefinitionKey(
            "thousands", .words([".", ",", " ", "'"]),
            #"For numbers in texts: what stands between thousands: ".", ",", " " or "'"."#, plan: .asRuns),
        DefinitionKey(
            "timeZone", .text,
            "For datetime: the time zone (such as Europe/Berlin) of times without an offset from UTC.",
            plan: .asRuns),
        DefinitionKey(
            "repeatedHour", .words(of: RepeatedHour.self),
            #"With timeZone: which moment a local time means in the hour that a clock change repeats. "reject": none, "#
                + "the value is rejected.",
            default: "reject", plan: .asRuns),
        DefinitionKey(
            "fraction", .whole(0, to: 9),
            "For datetime and duration: how many digits of a second the column has, 0 to 9; a value with more "
                + "is a reject. A duration counts units of the last digit. Default: 6; of a duration, 0.",
            plan: .asRuns, of: .all
        ),
        DefinitionKey(
            "scale", .whole(0, to: 100),
            #"For decimal: how many digits behind the point the column has, 0 to 100 (with "as": to 18); a value "#
                + #"with more is a reject. Default: as many as a value needs."#, plan: .asRuns, of: .all),
        DefinitionKey(
            "as", .words(of: AttributeReader.DecimalColumn.self),
            #"For decimal, with "scale": the column has integers, in units of the last digit (1990 for 19.90 "#
                + #"with a scale of 2)."#, plan: .asRuns, of: .all),
        DefinitionKey(
            "min", .named("textOrNumber"), "For numbers, dates and times: the least value; a smaller one is a reject.",
            plan: .asRuns, of: [.columns, .links]),
        DefinitionKey(
            "max", .named("textOrNumber"),
            "For numbers, dates and times: the greatest value; a greater one is a reject.", plan: .asRuns,
            of: [.columns, .links]),
        DefinitionKey(
            "oneOf", .list(.named("textOrNumber")), "All values that there are; another one is a reject.",
            plan: .asRuns, of: [.columns, .links]
        ),
        DefinitionKey(
            "index", .flag, "Gives the column an index.", default: false, plan: .asRuns, effect: .onStore, of: .columns),
        DefinitionKey(
            "onAbsent", .words(of: Attribute.OnAbsent.self),
            #"What a record without a value does to an existing object: "keep" the stored value, or store "#
                + #""null"."#, default: "keep", plan: .asRuns, effect: .onStore, of: .records),
        DefinitionKey(
            "was", .named("textOrTexts"), "Earlier names: what the store has under one of them is renamed.",
            plan: .refused(renaming), effect: .onStore, of: .columns),
    ]
}
