import SluiceExtract
import SluiceRecords

/// Amounts with a unit, as a definition writes them.
enum Quantities {
    static let durationHelp = "a duration such as \"30s\", \"10m\", \"2h\" or \"1d\""
    static let rateHelp = "a rate such as \"10/s\", \"100/m\" or \"1000/h\""
    static let sizeHelp = "a number of bytes, or a size such as \"500 MB\" or \"4 GiB\""

    private static let seconds = ["ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400]
    private static let bytes: [String: Double] = [
        "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30,
        "TiB": 0x1p40,
    ]

    /// Seconds.
    static func duration(_ text: String) -> Double? { amount(text, in: seconds) }

    /// Seconds, and some.
    static func timeout(_ text: String) -> Double? { duration(text).flatMap { $0 > 0 ? $0 : nil } }

    /// The seconds between two of so many a time.
    static func interval(_ text: String) -> Double? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = number(String(parts[0])), count > 0, let unit = seconds[String(parts[1])]
        else { return nil }
        return unit / count
    }

    /// Bytes, as `512 MiB` or `4GB`; at least one.
    static func size(_ text: String) -> UInt64? {
        amount(text, in: bytes).flatMap { $0 >= 1 && $0 < 0x1p63 ? UInt64($0) : nil }
    }

    /// A number, perhaps a space, and a unit.
    private static func amount(_ text: String, in units: [String: Double]) -> Double? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        var unit = text.dropFirst(digits.count)
        if unit.first == " " { unit = unit.dropFirst() }
        guard let number = number(String(digits)), let factor = units[String(unit)] else { return nil }
        return number * factor
    }

    /// Digits, and perhaps a fraction.
    private static func number(_ text: String) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy(\.isDigit)
        }
        return areDigits && parts.count <= 2 ? Double(text) : nil
    }
}

/// The bytes of a text such as `64MiB`, `1.5 GB` or `5000000`; nil where it is none, or less than one.
package func byteCount(of text: String) -> Int? {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
    // A size is less than 2^63.
    return Quantities.size(isPlain ? text + "B" : text).map { Int($0) }
}

extension DefinitionObject {
    /// An amount that a text holds.
    func amount<Value>(_ key: String, _ read: (String) -> Value?, expected: String) -> Value? {
        guard let node = self[key], !context.isUnset(node) else { return nil }
        if let text = node.text, let value = read(text) { return value }
        context.wrong(key, node, expected: expected)
        return nil
    }

    /// A number of bytes.
    func size(_ key: String) -> UInt64? {
        guard let node = self[key], !context.isUnset(node) else { return nil }
        switch node.kind {
        case .number(let text):
            if let count = wholeNumber(text), count > 0 { return UInt64(count) }
        case .string(let text):
            if let size = Quantities.size(text) { return size }
        default: break
        }
        context.wrong(key, node, expected: Quantities.sizeHelp)
        return nil
    }
}
