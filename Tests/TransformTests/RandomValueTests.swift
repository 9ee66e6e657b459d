import SluiceRecords
import Testing

/// No value, however odd, may end the process; and what is stored must be canonical.
@Suite struct RandomValueTests {
    private static let conversions: [Conversion] =
        AttributeType.allCases.map { Conversion($0) } + [
            Conversion(.date, format: "%d.%m.%Y"), Conversion(.date, format: "%A %e %b %y %j"),
            Conversion(.datetime, timeZone: "Europe/Berlin"), Conversion(.datetime, format: "unix"),
            Conversion(.datetime, format: "unix-ms"), Conversion(.datetime, format: "%FT%T.%f%z"),
            Conversion(.datetime, format: "%c", timeZone: "America/New_York"),
        ]

    /// A text in which a few bytes were changed, so that it is nearly of some type.
    private func text() -> String {
        let models = [
            "2026-11-20T23:13:00.25+01:00", "2026-03-29 02:30:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:60-23:59",
            "-9223372036854775808", "1.7976931348623157e308", "12345678901234567890.12345e-19", "20.11.2026",
            "Friday 20 Nov 26 324", "Fri Nov 20 23:13:00 2026", "Zm9vYmE=", "true", "-1700000000250", "",
        ]
        var bytes = Array((models.randomElement() ?? "").utf8)
        let alphabet = Array("0123456789+-.eETZz: ,=/a\"\\\0".utf8)
        for _ in 0..<Int.random(in: 0...3) {
            let index = Int.random(in: 0...bytes.count)
            switch Int.random(in: 0...2) {
            case 0 where index < bytes.count: bytes.remove(at: index)
            case 1 where index < bytes.count: bytes[index] = alphabet.randomElement() ?? 0
            default: bytes.insert(alphabet.randomElement() ?? 0, at: index)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: conversions) func oddTexts(_ conversion: Conversion) throws {
        let texts = (0..<2_000).map { _ in text() }
        let found = try convert(texts.map { .string($0) }, conversion)
        var stored: [Raw] = []
        for value in found {
            if case .text(let text) = value { stored.append(conversion.type == .json ? .json(text) : .string(text)) }
        }
        // What is stored is stored again as it is.
        let plain = Conversion(conversion.type)
        for (raw, again) in zip(stored, try convert(stored, plain)) {
            switch raw {
            case .string(let text), .json(let text): if again != .text(text) { Issue.record("\(text) became \(again)") }
            default: continue
            }
        }
    }

    @Test(arguments: [AttributeType.integer, .real, .decimal, .boolean, .text, .json]) func oddNumbers(
        _ type: AttributeType
    ) throws {
        let numbers = (0..<2_000).map { _ in Raw.number(text()) }
        for value in try convert(numbers, Conversion(type)) {
            if case .unexpected(let kind) = value { Issue.record("\(kind)") }
        }
    }

    @Test func oddValues() throws {
        for _ in 0..<30 {
            let rule = slot(0) {
                $0.trim = .random()
                $0.nullIf = Bool.random() ? [.text(""), .number("1.0")] : []
                $0.match = [nil, ".", "(.)$", "[0-9]+"].randomElement() ?? nil
                $0.map = Bool.random() ? ["1": .null, "0": .text("x")] : nil
                $0.otherwise = Bool.random() ? .number("7") : nil
                $0.fallback = Bool.random() ? .text("1") : nil
            }
            let whole = join(first(rule, slot(1)), slot(1) { $0.split = "," }, rule)
            for type in AttributeType.allCases {
                let found = try evaluate(whole, .string(text()), .number("12"), as: type)
                if case .unexpected(let kind) = found { Issue.record("\(kind)") }
            }
        }
    }
}
