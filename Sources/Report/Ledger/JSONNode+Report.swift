import SluiceExtract
import SluiceRecords

// What reports and findings are read by.
extension JSONNode {
    /// The number of a member; 0 where there is none.
    func count(_ key: String) -> Int { max(0, self[key]?.integer ?? 0) }

    /// Adds the counts that it has.
    func read<Counts>(_ named: [NamedCount<Counts>], into counts: inout Counts) {
        for (name, path) in named { counts[keyPath: path] += count(name) }
    }

    /// The value as JSON, as findings write identifiers.
    var spaced: String {
        guard case .array(let elements) = kind else { return minified }
        return JSONText.array(elements.map(\.minified))
    }

    /// The texts of a list.
    func texts(_ key: String) -> [String] { self[key]?.list.compactMap(\.text) ?? [] }

    /// The elements of an array.
    var list: [JSONNode] {
        guard case .array(let elements) = kind else { return [] }
        return elements
    }

    var real: Double? {
        guard case .number(let text) = kind else { return nil }
        return Double(text)
    }

    /// What ended a run.
    func failure(_ kind: Failure.Kind) -> Failure? {
        guard let message = self["message"]?.text else { return nil }
        guard let file = self["file"]?.text else { return Failure(kind, message) }
        let place = Failure.Place(
            file: file, line: UInt64(count("line")), column: UInt64(count("column")), offset: UInt64(count("offset")))
        return Failure(kind, message, at: place)
    }
}
