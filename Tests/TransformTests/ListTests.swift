import SluiceRecords
import Testing

@testable import SluiceTransform

/// Attributes that are lists.
@Suite struct ListTests {
    @Test(arguments: [
        ("0.0", "0"), ("-0.0", "0"), ("1", "1"), ("-1.5", "-1.5"), ("1e21", "1e+21"), ("1e20", "100000000000000000000"),
        ("123456789012345683968", "123456789012345680000"), ("1e-6", "0.000001"), ("1e-7", "1e-7"),
        ("1.5e-7", "1.5e-7"), ("5e-324", "5e-324"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("0.1", "0.1"), ("100", "100"), ("4.35", "4.35"), ("0.000123", "0.000123"), ("1e23", "1e+23"),
        ("9007199254740992", "9007199254740992"), ("-1e-9", "-1e-9"),
    ])
    func numbersAreThoseOfRFC8785(_ text: String, _ expected: String) throws {
        let value = try #require(Double(text))
        #expect(CanonicalValue.number(value) == expected)
        #expect(Double(expected) == value)
    }

    @Test func textsHaveTheEscapesOfRFC8785() {
        var out: [UInt8] = []
        for byte in "a\"\\\n\t\u{8}\u{c}\r\u{1}\u{1f}é/".utf8 {
            let before = out.count
            CanonicalValue.write(byte) { out.append($0) }
            #expect(out.count - before == CanonicalValue.length(of: byte))
        }
        #expect(String(decoding: out, as: UTF8.self) == #"a\"\\\n\t\b\f\r\u0001\u001fé/"#)
    }
}
