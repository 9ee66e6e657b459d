import SluiceRecords

/// What a definition writes as a value, as a column has it.
package enum StoredLiteral: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case null

    /// Converts as a feed's value would be converted.
    ///
    /// - Throws: `definition` where the type does not take it.
    package init(_ literal: Literal, _ conversion: Conversion) throws(Failure) {
        let catalog = Catalog()
        var converter = Converter(arena: Arena(capacity: 64), catalog: catalog)
        defer { converter.arena.deallocate() }
        do {
            let cell = try converter.convert(converter.arena.append(literal), try catalog.compile(conversion))
            switch cell.kind {
            case .integer: self = .integer(cell.integer)
            case .real: self = .real(cell.real)
            case .text: self = .text(converter.arena.text(of: cell))
            default: self = .null
            }
        } catch {
            throw Failure(.definition, "a value that the definition names does not fit its type")
        }
    }
}
