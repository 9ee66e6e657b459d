import SluiceRecords
import Testing

@Suite struct DecimalDigitsTests {
    @Test(arguments: [0, 1, 9, 10, 99, 100, 1_234_567_890, UInt64(Int64.max) + 1, .max - 1, .max])
    func digitsAreThoseOfTheNumber(_ number: UInt64) {
        let count = DecimalDigits.count(number)
        var text = [UInt8](repeating: 0, count: count)
        DecimalDigits.write(number, count: count) { text[$0] = $1 }
        #expect(String(decoding: text, as: UTF8.self) == String(number))
    }

    @Test func onlyDigitsAreDigits() {
        #expect((0...UInt8.max).filter(\.isDigit) == Array("0123456789".utf8))
    }
}
