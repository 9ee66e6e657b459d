// Of which type members are, by the words in their names.
extension Names {
    private static let times: Set = [
        "time", "timestamp", "ts", "dt", "date", "datum", "at", "created", "updated", "modified", "on", "datetime",
        "since",
        "until", "start", "end", "expires", "published", "mtime", "ctime", "issued", "filed", "joined", "due",
        "scheduled", "planned", "opened", "closed", "sent", "received", "recorded", "observed", "registered",
        "started", "finished", "ended", "deleted", "expired",
    ]
    private static let timesOfDay: Set = ["arrival", "arrives", "closes", "departs", "departure", "opens", "time"]
    private static let questions: Set = [
        "is", "has", "can", "flag", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    private static let versions: Set = ["version", "specversion", "apiversion", "schemaversion", "dataversion"]
    private static let labels: Set = [
        "version", "specversion", "channel", "code", "cycle", "number", "phone", "fax", "telephone", "mobile", "zip",
        "release", "no", "nr", "section", "title", "name", "label",
    ]

    private static let telephones: Set = [
        "cell", "fax", "handy", "mobile", "mobil", "msisdn", "phone", "rufnummer", "tel", "telefax", "telefon",
        "telefonnummer", "telephone",
    ]

    /// Whether a name is one of telephone numbers.
    static func isTelephone(_ name: String) -> Bool { has(name, telephones) }

    private static func has(_ name: String, _ known: Set<String>) -> Bool {
        words(name).contains { known.contains($0.lowercased()) }
    }

    /// Whether a name may be one of a time: a word of it is that of one, at whatever place.
    static func mayBeTime(_ name: String) -> Bool { has(name, times) || name.lowercased().hasSuffix("time") }

    /// Whether a name says in which unit a moment is, as far as it is one: `lastSeenMs`.
    static func isOfMoment(_ name: String) -> Bool {
        words(name).last.map { ["ms", "millis", "milliseconds", "msec", "epoch"].contains($0.lowercased()) } ?? false
    }

    /// Whether a name may be one of a time of day: years have four digits, too.
    static func mayBeTimeOfDay(_ name: String) -> Bool { has(name, timesOfDay) }

    /// Whether a name is one of what is so, or not.
    static func isQuestion(_ name: String) -> Bool {
        let words = words(name).map { $0.lowercased() }
        return words.first.map(questions.contains) ?? false || words.last == "flag"
    }

    /// Whether a name is one of versions.
    static func isVersion(_ name: String) -> Bool { has(name, versions) }

    /// Whether a name is one of numbers that nobody adds up.
    static func isLabel(_ name: String) -> Bool {
        let words = words(name).map { $0.lowercased() }
        // `Number of drivers` counts them.
        let isCount = words.count > 2 && ["number", "no", "nr"].contains(words[0]) && words[1] == "of"
        return words.dropFirst(isCount ? 1 : 0).contains { labels.contains($0) }
    }

    /// Whether what is called as numbers that nobody adds up is so by a word that means something else, too: `no`
    /// beside `yes`.
    static func isNumberOfLabel(_ name: String) -> Bool {
        words(name).last.map { ["no", "nr", "number"].contains($0.lowercased()) } ?? false
    }
}
