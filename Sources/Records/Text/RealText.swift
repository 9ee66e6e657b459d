/// Floating-point numbers as RFC 8785 writes them in JSON.
package enum RealText {
    /// A finite number as ECMAScript has it: the shortest digits that come back as it.
    package static func shortest(_ value: Double) -> String {
        if value == 0 { return "0" }
        let parts = value.magnitude.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        var digits = mantissa.joined()
        // Where the point is, after so many of the digits.
        var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        while digits.hasPrefix("0") {
            digits.removeFirst()
            point -= 1
        }
        while digits.hasSuffix("0") { digits.removeLast() }
        return (value < 0 ? "-" : "") + written(digits, point)
    }

    private static func written(_ digits: String, _ point: Int) -> String {
        switch point {
        case digits.count...21 where digits.count <= 21:
            return digits + String(repeating: "0", count: point - digits.count)
        case 1...21: return "\(digits.prefix(point)).\(digits.dropFirst(point))"
        case -5...0: return "0." + String(repeating: "0", count: -point) + digits
        default:
            let rest = digits.dropFirst()
            return "\(digits.prefix(1))\(rest.isEmpty ? "" : ".")\(rest)e\(point > 0 ? "+" : "-")\(abs(point - 1))"
        }
    }
}
