import SluiceRecords

/// The known word that is nearest to an unknown one, if any is near enough to be what was meant.
package func nearest(to word: String, among known: [String]) -> String? {
    let length = word.unicodeScalars.count
    guard length <= 100 else { return nil }
    // Types of SQL come with a length, `varchar(20)`, and with further words, `double precision`.
    let first = String(word.lowercased().prefix { $0 != "(" && $0 != " " })
    let meant = synonyms[first] ?? first
    if known.contains(meant) { return meant }
    if length > 2, let longer = known.first(where: { $0.hasPrefix(word) }) { return longer }
    var best: (word: String, distance: Int)?
    for candidate in known where abs(candidate.unicodeScalars.count - length) <= length / 2 {
        let distance = distance(word.lowercased(), candidate.lowercased())
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, length / 3) else { return nil }
    return best.word
}

/// What others call our words.
private let synonyms = [
    "string": "text", "varchar": "text", "char": "text", "character": "text", "uuid": "text", "int": "integer",
    "bigint": "integer", "smallint": "integer", "number": "real", "float": "real", "double": "real",
    "numeric": "decimal", "timestamp": "datetime", "timestamptz": "datetime", "interval": "duration", "bool": "boolean",
    "blob": "bytes", "bytea": "bytes", "binary": "bytes", "object": "json", "jsonb": "json", "array": "json",
    "path": "from", "key": "identifier", "primarykey": "identifier", "unique": "identifier", "fields": "attributes",
    "columns": "attributes", "ndjson": "lines", "jsonl": "lines", "filter": "where", "separator": "with",
    "regex": "match", "pattern": "match", "timezone": "timeZone", "tz": "timeZone",
]

/// Damerau–Levenshtein: letters inserted, deleted, changed, and neighbours swapped (each pair once).
private func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.unicodeScalars)
    let right = Array(right.unicodeScalars)
    var older: [Int] = []
    var old = Array(0...right.count)
    for row in left.indices {
        var new = [row + 1]
        for column in right.indices {
            let change = old[column] + (left[row] == right[column] ? 0 : 1)
            var least = min(change, old[column + 1] + 1, new[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                least = min(least, older[column - 1] + 1)
            }
            new.append(least)
        }
        (older, old) = (old, new)
    }
    return old[right.count]
}

/// Words in a sentence; many are cut short.
package func listed(_ words: [String], last: String = ", ") -> String {
    let most = 30
    guard words.count <= most else { return words.prefix(most).joined(separator: ", ") + ", …" }
    guard let end = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + last + end
}

/// A number of things.
func counted(_ number: Int, _ thing: String) -> String {
    number == 1 ? "one \(thing)" : "\(number) \(thing)s"
}

/// A text between quotes, cut short where it is long.
package func quoted(_ text: String) -> String {
    let most = 60
    let shown = text.unicodeScalars.prefix(most).map { scalar in
        scalar.isHidden ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }
    return "\"" + shown.joined() + (shown.count < text.unicodeScalars.count ? "…\"" : "\"")
}
