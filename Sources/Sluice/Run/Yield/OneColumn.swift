import SluiceExtract
import SluiceRecords

/// Finds tables whose cells are separated by another character than the definition says: all of a row is one cell then,
/// and no column has a name that the definition knows.
struct OneColumn {
    let model: Model
    let inputs: [FeedInput]

    /// Throws what a source's delimiter seems to be.
    func check(_ facts: [FeedFacts]) throws(Failure) {
        for source in facts.indices where facts[source].values > 0 {
            let input = inputs[source]
            guard input.format.isTable, let known = ForeignHeader(input, of: model, source: source),
                let header = header(facts[source].beginning, known.delimiter), let delimiter = delimiter(in: header),
                !known.columns.contains(ExactText(header))
            else { continue }
            throw Failure(
                .data,
                "the source \(input.source.name) (\(input.location)) has one column, \(JSONText.quoted(header)), which"
                    + " nothing in the definition uses: perhaps \"delimiter\": \(delimiter)")
        }
    }

    /// The first line, if it is the name of one column.
    private func header(_ beginning: [UInt8], _ delimiter: UInt8) -> String? {
        guard let line = ForeignHeader.line(of: beginning), line.isEnded, !line.text.contains(delimiter),
            !line.text.contains(UInt8(ascii: "\""))
        else { return nil }
        return String(validating: line.text, as: UTF8.self)
    }

    /// The delimiter that occurs most often, as a definition has it.
    private func delimiter(in header: String) -> String? {
        let counts = TableForm.usualDelimiters.map { byte in (byte, header.utf8.count { $0 == byte }) }
        guard let most = counts.max(by: { $0.1 < $1.1 }), most.1 > 0 else { return nil }
        return JSONText.quoted(String(UnicodeScalar(most.0)))
    }
}
