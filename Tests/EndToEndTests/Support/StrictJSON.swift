/// Reads JSON as RFC 8259 has it, and nothing else: whatever sluice writes must pass here. It is no reader of sluice's
/// own, and takes nothing that any parser might refuse, but for halves of surrogate pairs.
struct StrictJSON {
    private let bytes: [UInt8]
    private var at = 0

    /// What is wrong with a text that should be values with white space between them; nil: nothing is.
    static func complaint(_ text: String) -> String? {
        var reader = StrictJSON(bytes: Array(text.utf8))
        reader.skipSpace()
        while reader.at < reader.bytes.count {
            let start = reader.at
            guard reader.value(0) else { return reader.complaint }
            let end = reader.at
            reader.skipSpace()
            if reader.at == end, end < reader.bytes.count { return reader.complaint }
            if reader.at == start { return reader.complaint }
        }
        return nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var complaint: String {
        let around = bytes[max(0, at - 60)..<min(bytes.count, at + 20)]
        return "byte \(at) is no JSON: \(String(decoding: around, as: UTF8.self))"
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { at += 1 }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[at...].starts(with: text.utf8) else { return false }
        at += text.utf8.count
        return true
    }

    private mutating func value(_ depth: Int) -> Bool {
        switch next {
        case UInt8(ascii: "{"): return depth < 2000 && list("}", depth) { $0.member(depth) }
        case UInt8(ascii: "["): return depth < 2000 && list("]", depth) { $0.value(depth + 1) }
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return take("true")
        case UInt8(ascii: "f"): return take("false")
        case UInt8(ascii: "n"): return take("null")
        default: return number()
        }
    }

    private mutating func list(_ end: String, _ depth: Int, _ element: (inout StrictJSON) -> Bool) -> Bool {
        at += 1
        skipSpace()
        if take(end) { return true }
        while true {
            skipSpace()
            guard element(&self) else { return false }
            skipSpace()
            if take(end) { return true }
            guard take(",") else { return false }
        }
    }

    private mutating func member(_ depth: Int) -> Bool {
        guard string() else { return false }
        skipSpace()
        guard take(":") else { return false }
        skipSpace()
        return value(depth + 1)
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = next {
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case 0..<0x20: return false
            case UInt8(ascii: "\\"): guard escape() else { return false }
            default: break
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let byte = next else { return false }
        at += 1
        guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
        guard bytes[at...].prefix(4).count(where: isHexadecimal) == 4 else { return false }
        at += 4
        return true
    }

    private func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private mutating func digits() -> Bool {
        let start = at
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        return at > start
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0"), !digits() { return false }
        if take("."), !digits() { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits()
        }
        return true
    }
}
