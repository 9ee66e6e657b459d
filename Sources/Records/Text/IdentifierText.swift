extension Arena {
    /// A typed cell as JSON: how identifiers and references are shown and kept.
    public func json(of cell: Cell) -> String {
        switch cell.kind {
        case .integer: return String(cell.integer)
        // What no feed can hold, a question may find: `"inf"`, which JSON has no number for.
        case .real: return cell.real.isFinite ? "\(cell.real)" : JSONText.quoted("\(cell.real)")
        case .text, .string, .impossible: return JSONText.quoted(text(of: cell))
        case .number, .json: return text(of: cell)
        case .blob: return JSONText.quoted(hexadecimal(of: cell))
        case .yes: return "true"
        case .no: return "false"
        default: return "null"
        }
    }

    /// The cells of an identifier as JSON: a scalar, or a list for several attributes.
    public func json(ofKey cells: [Cell]) -> String {
        JSONText.oneOrArray(cells.map { json(of: $0) })
    }

    /// The bytes of a cell as hexadecimal digits.
    public func hexadecimal(of cell: Cell) -> String {
        unsafe bytes(of: cell).reduce(into: "") { text, byte in
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
    }
}
