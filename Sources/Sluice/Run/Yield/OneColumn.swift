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
            guard input.format.isTable, let header = header(of: input, facts[source].beginning),
                let delimiter = delimiter(in: header), !isUsed(header, source)
            else { continue }
            throw Failure(
                .data,
                "the source \(input.source.name) (\(input.location)) has one column, \(JSONText.quoted(header)), which"
                    + " nothing in the definition uses: perhaps \"delimiter\": \(delimiter)")
        }
    }

    /// The first line, if it is the name of one column.
    private func header(of input: FeedInput, _ beginning: [UInt8]) -> String? {
        let options = input.options(batchSize: 1)
        let table = options.table
        guard table.hasHeader, table.names == nil, table.headerLine == nil, options.encoding == nil else { return nil }
        let bytes = beginning.withoutByteOrderMark
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard line.count < bytes.count, !line.contains(table.delimiter), !line.contains(UInt8(ascii: "\"")),
            // The line in which Excel says the delimiter.
            !line.starts(with: "sep=".utf8)
        else { return nil }
        return String(validating: line, as: UTF8.self)
    }

    /// The delimiter that occurs most often, as a definition has it.
    private func delimiter(in header: String) -> String? {
        let counts = TableForm.usualDelimiters.map { byte in (byte, header.utf8.count { $0 == byte }) }
        guard let most = counts.max(by: { $0.1 < $1.1 }), most.1 > 0 else { return nil }
        return JSONText.quoted(String(UnicodeScalar(most.0)))
    }

    /// Whether a path of a source's entities leads to the column, or to all columns.
    private func isUsed(_ header: String, _ source: Int) -> Bool {
        let slots = model.entities.filter { $0.sources.contains(source) }.flatMap(\.slots)
        let steps = slots.filter { $0.path.root == .record }.map(\.path.steps.first)
        return steps.isEmpty
            || steps.contains { step in
                guard case .name(let name)? = step else { return true }
                return name.isIdentical(to: header)
            }
    }
}
