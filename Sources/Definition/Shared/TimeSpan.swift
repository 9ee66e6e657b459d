/// A span of time as people write it: `30s`, `10m`, `2h`, `1d`, `500ms`, or several, as in `1h30m`.
enum TimeSpan {
    static let expected = "a time such as 30s, 10m or 2h"

    /// The seconds of a text; nil where it is none, or longer than a year.
    static func seconds(_ text: String) -> Double? {
        var rest = Substring(text)
        var total = 0.0
        var longest = Double.infinity
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let unit = rest.dropFirst(number.count).prefix { $0.isASCII && $0.isLetter }
            guard let value = Double(number), let factor = units[String(unit)], factor < longest else { return nil }
            total += value * factor
            longest = factor
            rest = rest.dropFirst(number.count + unit.count)
        } while !rest.isEmpty
        return total <= 366 * 86_400 ? total : nil
    }

    /// The seconds of a text that are more than none.
    static func positive(_ text: String) -> Double? { seconds(text).flatMap { $0 > 0 ? $0 : nil } }

    private static let units = ["ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400]
}

/// The seconds of a text such as `30s`, `10m`, `2h` or `1h30m`; nil where it is none, or longer than a year.
package func seconds(of text: String) -> Double? { TimeSpan.seconds(text) }

extension Duration {
    /// All of it.
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
