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

    /// Appends bytes from their hexadecimal digits; nil: they are none.
    package mutating func appendBytes(hexadecimal text: String) -> Cell? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[start..<start + 2], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return unsafe bytes.withUnsafeBufferPointer { unsafe append($0, kind: .blob) }
    }

    /// The bytes of a cell as hexadecimal digits.
    public func hexadecimal(of cell: Cell) -> String {
        unsafe bytes(of: cell).reduce(into: "") { text, byte in
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
    }
}
