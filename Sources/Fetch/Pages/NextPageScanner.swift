import SluiceExtract
import SluiceRecords

/// Looks in an answer that passes by for a member that leads to a next page, or says that there is one, or how many
/// records there are in all: of the objects at its top, not of its lists.
///
/// It is no parser: it trusts that the bytes are JSON, which the reader of the feed checks.
@safe
struct NextPageScanner {
    /// A longer answer is no page.
    private static let mostBytes = 32 << 20
    /// A longer text is neither a name nor an address.
    private static let longestText = 4096

    private var signs = PageSigns()

    /// What the answer says of further pages; nil: nothing.
    var unasked: UnaskedPages? { signs.unasked }

    private var rest = NextPageScanner.mostBytes
    /// Containers in which nothing is looked for.
    private var skipped = 0
    private var isKeyNext = false
    private var inText = false
    private var isEscaped = false
    private var inWord = false
    private var captured: [UInt8] = []

    mutating func scan(_ bytes: UnsafeRawBufferPointer) {
        if signs.isSettled || rest == 0 { return }
        rest = max(0, rest - bytes.count)
        for index in 0..<bytes.count {
            let byte = unsafe bytes[index]
            if inText { scanText(byte) } else if skipped > 0 { skip(byte) } else { scan(byte) }
        }
    }

    private mutating func scanText(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            // Some write addresses as https:\/\/.
            isEscaped = true
            return
        } else if byte == UInt8(ascii: "\"") {
            inText = false
            if skipped == 0 { endText() }
            return
        }
        if skipped == 0, captured.count < NextPageScanner.longestText { captured.append(byte) }
    }

    private mutating func skip(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): inText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): skipped += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): skipped -= 1
        default: break
        }
    }

    private mutating func scan(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""):
            captured.removeAll(keepingCapacity: true)
            inText = true
        case UInt8(ascii: "{"):
            isKeyNext = signs.beginObject()
            if !isKeyNext { skipped = 1 }
        case UInt8(ascii: "["):
            if !signs.beginList() { skipped = 1 }
            isKeyNext = false
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            endWord()
            signs.end()
        case UInt8(ascii: ","):
            endWord()
            isKeyNext = signs.goOn()
        case UInt8(ascii: ":"): captured.removeAll(keepingCapacity: true)
        case 0...0x20: break
        default:
            inWord = true
            if captured.count < NextPageScanner.longestText { captured.append(byte) }
        }
    }

    private mutating func endText() {
        let text = String(decoding: captured, as: UTF8.self)
        captured.removeAll(keepingCapacity: true)
        if isKeyNext {
            signs.key(text)
            isKeyNext = false
        } else {
            signs.text(text)
        }
    }

    private mutating func endWord() {
        guard inWord else { return }
        inWord = false
        signs.word(captured)
        captured.removeAll(keepingCapacity: true)
    }
}
