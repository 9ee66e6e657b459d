import Foundation
import SluiceRecords
import Testing

struct Base64TextTests {
    @Test func sameAsFoundation() {
        for count in 0..<70 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255) }
            let text = Base64Text.text(of: bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64Text.bytes(of: text) == bytes)
        }
    }

    @Test(arguments: ["a", "ab=", "a b=", "äaaa"]) func whatIsNoneHasNoBytes(_ text: String) {
        #expect(Base64Text.bytes(of: text) == nil)
    }
}
