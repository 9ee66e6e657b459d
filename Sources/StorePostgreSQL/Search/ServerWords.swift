import SluiceRecords
import SluiceSchema

/// The index of words of an entity's texts, and the function that finds objects by words.
///
/// The words are those that FTS5 makes: runs of letters and digits, in small letters, without accents. The server's own
/// text search would take numbers, addresses and hyphens apart in its own way.
struct ServerWords {
    /// The collation that knows the letters of all languages, whatever that of the database.
    static let collation = "und-x-icu"
    private static let collated = "COLLATE pg_catalog.\(quoted(collation))"
    /// In letters. A `tsvector` takes a mebibyte less a byte: each letter is four bytes at most.
    private static let longestText = 200_000
    /// In letters: a `tsvector` takes words of 2,046 bytes. PostgreSQL's patterns count as far as that.
    private static let longestWord = 255
    /// In bytes: texts that have no longer word, whatever becomes of their letters.
    private static let shortText = 255

    private let table: ServerSearchedTable
    private let fields: [String]
    private let tokenizer: ServerTokenizer

    /// Nil: the server has no such tokenizer.
    init?(_ table: ServerSearchedTable, _ index: SearchIndex) {
        guard let tokenizer = ServerTokenizer(index.tokenizer) else { return nil }
        self.table = table
        fields = index.fields
        self.tokenizer = tokenizer
    }

    /// - Parameter trigrams: where pg_trgm is, as SQL has it; nil: nowhere.
    func sideIndex(_ trigrams: String?) -> ServerSideIndex? {
        switch tokenizer {
        case .words(let keepsAccents): wordIndex(keepsAccents)
        case .trigrams(let isCaseSensitive): trigrams.map { trigramIndex(isCaseSensitive, $0) }
        }
    }

    private func sideIndex(_ index: String, _ condition: String) -> ServerSideIndex {
        table.sideIndex(
            Entity.searchTable(of: table.name), fields, index: "USING gin (\(index))", parameters: "query text",
            results: "\"objectID\" bigint",
            body: """
                SELECT t."objectID" FROM \(table.namespace.named(table.name)) t WHERE \(condition) ORDER BY 1
                """)
    }

    /// The texts of an object, as one.
    private func text(_ row: String, _ separator: String) -> String {
        let texts = fields.map { "coalesce(\(row)\(quoted($0)), '')" }
        return texts.count == 1 ? texts[0] : "(\(texts.joined(separator: " || \(separator) || ")))"
    }

    // MARK: Words

    private func wordIndex(_ keepsAccents: Bool) -> ServerSideIndex {
        let words = { (row: String) in
            let text = text(row, "' '")
            let folded = ServerWords.folded(text, keepsAccents)
            return """
                array_to_tsvector(array_remove(regexp_split_to_array(\(ServerWords.cut(folded, text)), \
                '[^\(ServerWordCharacters.list)]+'), ''))
                """
        }
        let part = ServerWords.cut(ServerWords.folded("w.word", keepsAccents))
        // All parts of what the user typed must be there, and the last part of each run between white space may be the
        // beginning of a word.
        let query = """
            (SELECT string_agg(quote_literal(p.part) || CASE WHEN p.place = p.last THEN ':*' ELSE '' END, ' & ')::tsquery
            FROM regexp_split_to_table($1, '[[:space:]]+') w (word)
            CROSS JOIN LATERAL (SELECT r.part, r.place, max(r.place) OVER () AS last
            FROM regexp_split_to_table(\(part), '[^\(ServerWordCharacters.list)]+') WITH ORDINALITY r (part, place) WHERE r.part <> '') p)
            """
        return sideIndex("(\(words("")))", "\(words("t.")) @@ \(query)")
    }

    /// In small letters, and without accents.
    private static func folded(_ text: String, _ keepsAccents: Bool) -> String {
        // A sigma at the end of a word is a sigma.
        let small = "left(translate(lower(\(text) \(collated)), 'ς', 'σ'), \(longestText))"
        if keepsAccents { return small }
        return "normalize(regexp_replace(normalize(\(small), NFD), '[\\u0300-\\u036f]+', '', 'g'), NFC)"
    }

    /// With words cut into pieces that are not too long.
    private static func cut(_ folded: String) -> String { "regexp_replace(\(folded), \(piece), '\\1 ', 'g')" }

    private static let piece = "'([\(ServerWordCharacters.list)]{\(longestWord)})'"

    /// The same. The pattern takes its time, and few texts need it.
    private static func cut(_ folded: String, _ text: String) -> String {
        """
        regexp_replace(\(folded), CASE WHEN octet_length(\(text)) > \(shortText) THEN \(piece) \
        ELSE '(\\A\\Z)' END, '\\1 ', 'g')
        """
    }

    // MARK: Trigrams

    private func trigramIndex(_ isCaseSensitive: Bool, _ schema: String) -> ServerSideIndex {
        let folded = { (text: String) in isCaseSensitive ? text : "lower(\(text) \(ServerWords.collated))" }
        // White space ends a word of the query, so none goes over the end of a field.
        let texts = folded(text("t.", "E'\\n'"))
        let pattern = "'%' || regexp_replace(\(folded("w.word")), '([%_\\\\])', '\\\\\\1', 'g') || '%'"
        let words = "regexp_split_to_table($1, '[[:space:]]+') w (word) WHERE w.word <> ''"
        // The index finds by one pattern, the longest one; the others are for what it has found.
        return sideIndex(
            "(\(folded(text("", "E'\\n'")))) \(schema).gin_trgm_ops",
            """
            \(texts) LIKE (SELECT \(pattern) FROM \(words) ORDER BY length(w.word) DESC LIMIT 1)
            AND \(texts) LIKE ALL (ARRAY(SELECT \(pattern) FROM \(words)))
            """)
    }
}
