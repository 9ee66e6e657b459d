// Whether members are called as identifiers and references are.
extension Names {
    private static let usual: [String] = [
        "id", "_id", "@id", "pk", "uuid", "guid", "uid", "gid", "identifier", "key", "code", "slug",
    ]
    private static let codes: [String] = [
        "iri", "uri", "url", "href", "link", "permalink", "self", "number", "nr", "no", "symbol", "name", "hash", "sha",
    ]
    fileprivate static let identifiers = usual + codes
    /// What is known by these everywhere, and people by the last ones.
    private static let registered: Set<String> = [
        "doi", "isbn", "issn", "arn", "orcid", "email", "login", "username",
    ]
    /// Of these, those that are nothing else.
    private static let sure: Set<String> = ["id", "_id", "@id", "pk", "uuid", "guid", "uid", "gid", "identifier"]
    /// How the names of members end that have the identifier of something.
    private static let endings: Set<String> = ["id", "pk", "uuid", "guid", "uid", "gid", "sid", "identifier"]

    /// Whether a member is called as identifiers are; `entity` is what the object is called.
    static func isIdentifier(_ name: String, of entity: String) -> Bool { rank(name, of: entity) < .code }

    /// Whether a member is called as identifiers are, and as nothing else.
    static func isPlainIdentifier(_ name: String) -> Bool { sure.contains(name.lowercased()) }

    /// How much a name is like that of an identifier.
    static func rank(_ name: String, of entity: String) -> NameRank {
        let lower = name.lowercased()
        if sure.contains(lower) { return .own }
        let parts = words(name).map { $0.lowercased() }
        let last = parts.last ?? ""
        // What Twilio calls an identifier; elsewhere, another one may be beside it.
        if parts == ["sid"] { return .usual }
        if endings.contains(last) || ["code", "key"].contains(last), isOwn(parts.dropLast(), of: entity) {
            return .own
        }
        if isOwnInOneWord(parts, of: entity) { return .own }
        if endings.contains(last) || joinedIdentifier(parts) != nil { return .ending }
        if isTelephone(name) { return .other }
        if usual.contains(lower) { return .usual }
        if codes.contains(lower) || registered.contains(lower) { return .code }
        if parts.count > 1, parts[0] == "id" { return isOwn(parts.dropFirst(), of: entity) ? .own : .ending }
        return lastOfCodes.contains(last) || isNumbered(name, parts) ? .code : .other
    }

    /// How the names of members end that have numbers and codes of something.
    private static let lastOfCodes: Set = [
        "code", "number", "key", "nr", "no", "ref", "sequence", "num", "reference", "référence", "réf", "numero",
        "numéro", "identifiant", "sku", "ean", "gtin", "upc", "iban",
    ]

    /// Whether a name says that values are the numbers of something: `Auftragsnummer`, `Order #`, `N° client`,
    /// `code_insee`.
    private static func isNumbered(_ name: String, _ words: [String]) -> Bool {
        let last = words.last ?? ""
        if last.hasSuffix("nummer") || last.count > 4 && last.hasSuffix("nr") { return true }
        let lower = name.lowercased()
        if lower.hasSuffix("#") || lower.hasPrefix("n°") || lower.hasPrefix("nº") { return true }
        return words.count > 1 && ["num", "numero", "numéro", "code"].contains(words[0])
    }

    /// Whether a member is called as the number or the code of its record is, rather than by what it names.
    static func isNumber(_ name: String) -> Bool {
        let parts = words(name).map { $0.lowercased() }
        return isNumbered(name, parts) || lastOfCodes.contains(parts.last ?? "")
    }

    /// Whether a member is called as nothing but the number of what it is in: `number`, or `customerNo` of a customer.
    static func isOwnNumber(_ name: String, of entity: String) -> Bool {
        let parts = words(name).map { $0.lowercased() }
        guard let last = parts.last, ["no", "nr", "num", "number", "nummer"].contains(last) else { return false }
        return parts.count == 1 || isOwn(parts.dropLast(), of: entity)
    }

    /// Whether a member is called as what is known everywhere by its value.
    static func isRegistered(_ name: String) -> Bool { registered.contains(name.lowercased()) }

    /// Whether a member is called as a year, or as the season of one: `year`, `yearID`, `season`.
    static func isSeason(_ name: String) -> Bool {
        let parts = words(name).map { $0.lowercased() }
        let years: Set = ["year", "season", "jahr", "saison", "année", "annee", "año", "anno"]
        return parts.first.map(years.contains) == true
            && (parts.count == 1 || endings.contains(parts.last ?? "") || parts.last == "key")
    }

    /// Whether a member is called as what people are known by, and may change.
    static func isOfPerson(_ name: String) -> Bool {
        ["email", "login", "username"].contains(name.lowercased())
    }

    private static let given: Set = ["firstname", "fname", "forename", "givenname", "prenom", "prénom", "vorname"]
    private static let family: Set = [
        "familienname", "familyname", "lastname", "lname", "nachname", "nom", "surname", "zuname",
    ]

    /// Whether two members have the parts of a person's name: neither is the name of anybody alone.
    static func areOfOnePerson(_ one: String, _ other: String) -> Bool {
        let (own, their) = (parts(one).joined(), parts(other).joined())
        return given.contains(own) && family.contains(their) || family.contains(own) && given.contains(their)
    }

    /// Whether some words are the name of an entity, or end as it does.
    private static func isOwn(_ words: ArraySlice<String>, of entity: String) -> Bool {
        let own = parts(entity)
        return !own.isEmpty && (words.map(singular) == own || words.last.map(singular) == own.last)
    }

    /// Whether a name is that of an entity, or its beginning, with an `id` behind it: `pageid` of a page, `revid` of a
    /// revision.
    private static func isOwnInOneWord(_ words: [String], of entity: String) -> Bool {
        guard words.count == 1, words[0].hasSuffix("id"), let own = parts(entity).last else { return false }
        let base = words[0].dropLast(2)
        return base.count > 2 && own.hasPrefix(base)
    }

    /// Words that end as identifiers do, and those of programs that run, whose numbers come again.
    private static let noIdentifiers = [
        "acid", "avoid", "centroid", "covid", "fluid", "grid", "humid", "hybrid", "invalid", "liquid", "orchid", "paid",
        "plaid", "processid", "procid", "raid", "rapid", "rigid", "roid", "solid", "threadid", "void", "valid",
    ]

    /// What has an `id` in one word with its name: `customer` of `customerid`; nil: it is another word.
    static func joinedIdentifier(_ words: [String]) -> String? {
        guard words.count == 1, words[0].utf8.count > 5, words[0].hasSuffix("id"),
            !noIdentifiers.contains(where: words[0].hasSuffix)
        else { return nil }
        return String(words[0].dropLast(2))
    }

    /// Whether a member is called as references are.
    static func isReference(_ name: String) -> Bool {
        let words = words(name).map { $0.lowercased() }
        guard let last = words.last else { return false }
        if joinedIdentifier(words) != nil { return true }
        // As Trello has them: `idBoard`.
        return words.contains("parent") || words.count > 1 && words[0] == "id"
            || ["ids", "ref", "refs", "key", "parent", "uri", "href"].contains(last) || endings.contains(last)
    }

    /// Whether an object is called as a reference to another one is: `CustomerRef`.
    static func isReferenceObject(_ name: String) -> Bool {
        let words = words(name)
        return words.count > 1 && ["ref", "reference"].contains(words[words.count - 1].lowercased())
    }

    /// What such an object refers to, by its name.
    static func referred(_ name: String) -> String {
        isReferenceObject(name) ? words(name).dropLast().joined(separator: "_") : name
    }

    /// Whether a member is called as what people know something by.
    static func isName(_ name: String) -> Bool { ["name", "title", "label"].contains(name.lowercased()) }

    /// How well the name of a member fits an entity: 0 is not at all.
    static func fit(_ member: MemberName, _ entity: [String], identifier: MemberName) -> Int {
        if member.lower == identifier.lower, !identifier.isCommon { return 3 }
        let base = member.base
        if base.isEmpty || entity.isEmpty { return 0 }
        if base == entity { return 3 }
        if base.last == entity.last || base.count >= entity.count && base.suffix(entity.count) == entity[...] {
            return 2
        }
        return base.contains(entity[entity.count - 1]) ? 1 : 0
    }
}

/// The name of a member, as it is compared with those of entities.
struct MemberName {
    let lower: String
    /// Whether identifiers of all kinds of objects are called so.
    let isCommon: Bool
    /// Its words, without those that say that it identifies something.
    let base: [String]

    init(_ name: String) {
        lower = name.lowercased()
        isCommon = Names.identifiers.contains(lower) || lower == "ref"
        var words = Names.parts(name)
        if let joined = Names.joinedIdentifier(words) { words = [joined] }
        while let last = words.last, MemberName.endings.contains(last) { words.removeLast() }
        base = words
    }

    private static let endings: Set<String> = [
        "id", "ref", "code", "key", "uuid", "guid", "uid", "gid", "sid", "uri", "href", "number", "name",
    ]
}
