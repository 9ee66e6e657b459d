import SluiceRecords

// Texts that hold several identifiers: `"bickel nichols"`.
extension ReferenceSearch {
    private static let separators: [UInt8] = [" ", ";", "|", ",", "/", "+"].map { UInt8(ascii: $0) }
    /// So many texts with several parts are more than what is called so.
    private static let leastLists = 2

    /// What stands between identifiers in the texts of a column that are none themselves, as far as a sample tells:
    /// nearly all of their parts are identifiers. Nil: they are no lists.
    func separator(of source: DraftColumn, in match: Match) -> String? {
        guard match.share < 1, source.content == .scalar, source.cut == nil, !source.isKey, source.facts.numbers == 0,
            !match.target.isWhole || source.meaning.isReference, let known = countsOf(match.target), known.isExact
        else { return nil }
        let texts = source.facts.sample.texts
        let found = ReferenceSearch.separators.first { separator in
            let lists = texts.filter { $0.contains(separator) && !known.contains(ReferenceSearch.hash($0[...])) }
            let parts = lists.flatMap { $0.split(separator: separator) }
            let count = parts.count { known.contains(ReferenceSearch.hash($0.trimmed)) }
            return lists.count >= ReferenceSearch.leastLists
                && lists.allSatisfy { $0.split(separator: separator).count > 1 }
                && Double(count) >= ReferenceSearch.enough * Double(parts.count)
        }
        return found.map { String(UnicodeScalar($0)) }
    }

    private static func hash(_ text: ArraySlice<UInt8>) -> UInt64 {
        text.isEmpty ? ValueFingerprint.none : ValueFingerprint.of(text: String(decoding: text, as: UTF8.self))
    }
}

extension ArraySlice<UInt8> {
    /// Without spaces at its ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let space = UInt8(ascii: " ")
        guard let first = firstIndex(where: { $0 != space }), let last = lastIndex(where: { $0 != space }) else {
            return []
        }
        return self[first...last]
    }
}
