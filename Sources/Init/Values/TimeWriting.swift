import SluiceRecords

/// A way of writing a time that no form of texts is: `13/11/2026 2:05 PM`, `01.11.26 08:15`, `2026-11-01 08:15:00 UTC`.
struct TimeWriting {
    /// As a definition has it.
    let format: String

    private static let days = ["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d.%m.%y", "%d-%m-%Y", "%Y-%m-%d", "%Y/%m/%d"]
    private static let times = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p"]
    private static let all = days.flatMap { day in
        times.flatMap { time in ["", " UTC", " GMT"].map { TimeWriting(format: "\(day) \(time)\($0)") } }
    }

    /// The ways in which all of some texts are written; none: it is another one.
    static func ofAll(_ texts: [[UInt8]]) -> [TimeWriting] {
        texts.isEmpty ? [] : all.filter { way in texts.allSatisfy(way.reads) }
    }

    /// Whether a text is written so, and is a time that there is.
    private func reads(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        var fields: [UInt8: Int] = [:]
        var steps = Array(format.utf8)[...]
        while let step = steps.popFirst() {
            guard step == UInt8(ascii: "%"), let field = steps.popFirst() else {
                guard rest.popFirst() == step else { return false }
                continue
            }
            if field == UInt8(ascii: "p") {
                let half = rest.prefix(2).map { $0 & 0xdf }
                guard half == Array("AM".utf8) || half == Array("PM".utf8) else { return false }
                rest = rest.dropFirst(2)
                continue
            }
            let width = field == UInt8(ascii: "Y") ? 4 : 2
            let digits = rest.prefix { $0.isDigit }
            guard digits.count == width || digits.count == 1 && TimeWriting.mayBeShort.contains(field),
                let number = Int(String(decoding: digits, as: UTF8.self))
            else { return false }
            fields[field] = number
            rest = rest.dropFirst(digits.count)
        }
        return rest.isEmpty && TimeWriting.areMoment(fields)
    }

    private static let mayBeShort = Set("dmHI".utf8)

    private static func areMoment(_ fields: [UInt8: Int]) -> Bool {
        func isIn(_ range: ClosedRange<Int>, _ field: Character) -> Bool {
            field.asciiValue.flatMap { fields[$0] }.map(range.contains) ?? true
        }
        return isIn(1...31, "d") && isIn(1...12, "m") && isIn(0...23, "H") && isIn(1...12, "I") && isIn(0...59, "M")
            && isIn(0...59, "S")
    }
}
