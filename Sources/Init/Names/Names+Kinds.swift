// What members are called whose values identify nothing.
extension Names {
    private static let ordinals: Set<String> = ["sequence", "seq", "index", "position", "pos", "ordinal"]
    private static let measures: Set<String> = [
        "age", "amount", "balance", "births", "budget", "bytes", "cost", "count", "deaths", "distance", "downloads",
        "duration", "elevation", "emissions", "employees", "fee",
        "goals", "height", "humidity", "income", "inhabitants", "lat", "latitude", "length", "lng", "lon", "longitude",
        "magnitude", "pace", "passengers", "people", "percent", "percentage", "persons",
        "points", "population", "precipitation", "pressure", "price", "profit",
        "qty", "quantity", "rate", "rating", "ratio", "reading", "revenue", "salary", "sales", "score", "size", "speed",
        "tax", "temperature", "total",
        "value", "views", "visits", "voltage", "votes", "weight", "width",
    ]
    private static let prose: Set<String> = [
        "abstract", "body", "caption", "comment", "content", "description", "message", "msg", "note", "notes", "remark",
        "summary", "text",
    ]

    /// Whether a member is called as one of the two parts of a place on earth.
    static func isLatitude(_ name: String) -> Bool { ends(name, in: ["lat", "latitude"]) }
    static func isLongitude(_ name: String) -> Bool { ends(name, in: ["lng", "lon", "long", "longitude"]) }

    /// Whether a member is called as places in an order are.
    static func isOrdinal(_ name: String) -> Bool { ends(name, in: ordinals) }

    /// Whether a member is called as what is measured or counted, whose values are unique by chance only.
    static func isMeasure(_ name: String) -> Bool { ends(name, in: measures) || isGermanAmount(name) }

    private static let germanAmounts = ["anzahl", "betrag", "menge", "preis", "saldo", "summe", "umsatz"]

    /// Whether a German name has a word of an amount: `Gesamtbetrag`, `Umsatz (netto)`.
    private static func isGermanAmount(_ name: String) -> Bool {
        words(name).contains { word in
            let lower = word.lowercased()
            return lower == "kurs" || germanAmounts.contains { lower.hasSuffix($0) }
        }
    }

    private static let prices: Set = [
        "cost", "costs", "fare", "fee", "fees", "kosten", "precio", "preis", "price", "prices", "prix", "rent",
        "salary",
        "wage",
    ]
    private static let money: Set = [
        "amount", "amt", "balance", "betrag", "brutto", "budget", "charge", "discount", "due", "gross", "income",
        "montant", "net", "netto", "paid", "payment", "profit", "refund", "revenue", "saldo", "subtotal", "summe",
        "tax",
        "total", "turnover", "umsatz", "vat",
    ]
    /// What stands behind the name of an amount.
    private static let currencies: Set = [
        "aud", "brutto", "cad", "chf", "cny", "czk", "dkk", "eur", "euro", "gbp", "gross", "inr", "jpy", "net", "netto",
        "nok", "pln", "sek", "usd",
    ]

    /// Whether a member has what something costs: `unit_price`, `priceEUR`, `Einzelpreis`.
    static func isPrice(_ name: String) -> Bool {
        let last = lastOfAmount(name)
        return prices.contains(last) || last.hasSuffix("preis") || last.hasSuffix("kosten")
    }

    /// Whether a member may have an amount of money, or something else that is counted.
    static func isMoney(_ name: String) -> Bool {
        let last = lastOfAmount(name)
        return money.contains(last) || ["betrag", "saldo", "summe", "umsatz"].contains { last.hasSuffix($0) }
    }

    private static func lastOfAmount(_ name: String) -> String {
        var words = words(name).map { $0.lowercased() }
        while words.count > 1, let last = words.last, currencies.contains(last) { words.removeLast() }
        return words.last ?? ""
    }

    private static let postal = [
        "zip", "zipcode", "postcode", "postalcode", "codepostal", "pincode", "plz", "postleitzahl",
    ]

    /// Whether a member has the postal code of an address: two people may live in one town.
    static func isPostal(_ name: String) -> Bool {
        let whole = parts(name).joined()
        return postal.contains { whole.hasSuffix($0) }
    }

    private static let measured: Set<String> = ["indicator", "metric", "observable", "parameter", "variable"]

    /// Whether a member says what it is that another one has the value of.
    static func isMeasured(_ name: String) -> Bool { measured.contains(name.lowercased()) }

    /// Whether a member says which year it was.
    static func isYear(_ name: String) -> Bool { words(name).contains { ["year", "years"].contains($0.lowercased()) } }

    /// Whether a member is called as a time is, or as how long something took.
    static func isTime(_ name: String) -> Bool { ends(name, in: ["time"]) }

    private static let changes: Set<String> = [
        "changed", "edited", "modified", "mtime", "seen", "synced", "touched", "updated", "geaendert", "geändert",
    ]

    /// Whether a member says when something was changed last, which is another time after each change.
    static func isOfChange(_ name: String) -> Bool {
        words(name).contains { word in
            let lower = word.lowercased()
            return changes.contains(lower) || ["lastmodified", "lastupdated"].contains(lower)
        }
    }

    /// What says which of several things a message or a reading is from.
    private static let senders: Set<String> = [
        "channel", "device", "host", "hostname", "instance", "meter", "probe", "sensor", "station", "symbol", "topic",
    ]

    /// Whether a member says which of several things a message or a reading is from.
    static func isSender(_ name: String) -> Bool {
        let words = parts(name)
        return words.count <= 2 && words.first.map(senders.contains) ?? false
            && (words.count == 1 || ["id", "name"].contains(words[1]))
    }

    private static let digests = ["blake", "checksum", "digest", "etag", "md5", "sha1", "sha2", "sha3", "sha5"]

    /// Whether a member is called as what is computed of something, to compare it by. A `hash` or a `sha` by itself may
    /// well be what something is known by, as commits are.
    static func isDigest(_ name: String) -> Bool {
        words(name).contains { word in digests.contains { word.lowercased().hasPrefix($0) } }
    }

    /// Whether a member is called as what people write, whose values are unique by chance only.
    static func isProse(_ name: String) -> Bool { ends(name, in: prose) }

    private static func ends(_ name: String, in known: Set<String>) -> Bool {
        words(name).last.map { known.contains($0.lowercased()) } ?? false
    }

    /// What answers say of themselves and their pages.
    private static let pages: Set<String> = [
        "count", "cursor", "generated", "limit", "message", "next", "offset", "page", "pages", "prev", "previous",
        "retrieved", "size", "status", "timestamp", "took", "total",
    ]

    /// Whether a member says something of a page, rather than of what is in it.
    static func isOfPage(_ name: String) -> Bool { words(name).contains { pages.contains($0.lowercased()) } }

    /// Whether a member says whether there is a next page, or where.
    static func leadsOn(_ name: String) -> Bool {
        words(name).contains { ["cursor", "next"].contains($0.lowercased()) }
    }

    /// Whether members of an object are called as the links between pages, and to what is shown itself, of which `self`
    /// or one of the pages is always there.
    static func areLinks(_ names: [String]) -> Bool {
        names.contains { ["self", "first", "last", "next", "prev", "previous"].contains($0.lowercased()) }
    }
}
