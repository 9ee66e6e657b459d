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
    /// Objects in objects, so deep.
    private static let mostLevels = 3
    /// A longer text is neither a name nor an address.
    private static let longestText = 4096

    /// The path of the first member that leads to a next page, or says that there is one.
    private(set) var path: Path?
    /// The first number of all records; and the first that is one if the answer speaks of pages.
    private var count: UnaskedPages?
    private var total: UnaskedPages?
    private var hasMeasure = false

    /// What the answer says of further pages; nil: nothing.
    var unasked: UnaskedPages? {
        path.map { UnaskedPages(place: $0.description) } ?? count ?? (hasMeasure ? total : nil)
    }

    private var rest = NextPageScanner.mostBytes
    /// The names under which the open objects stand; the outermost has none.
    private var open: [String] = []
    /// Containers in which nothing is looked for.
    private var skipped = 0
    private var isKeyNext = false
    /// Of the next value.
    private var name = ""
    private var inText = false
    private var isEscaped = false
    private var inWord = false
    private var captured: [UInt8] = []

    mutating func scan(_ bytes: UnsafeRawBufferPointer) {
        if path != nil || rest == 0 { return }
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
            guard open.count < NextPageScanner.mostLevels else {
                skipped = 1
                return
            }
            open.append(name)
            isKeyNext = true
        case UInt8(ascii: "["): skipped = 1
        case UInt8(ascii: "}"):
            endWord()
            _ = open.popLast()
        case UInt8(ascii: ","):
            endWord()
            isKeyNext = true
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
            name = text
            isKeyNext = false
        } else if !open.isEmpty, NextPageNames.leadsOn(plainName, in: plainParent, text) {
            keepPath()
        }
    }

    private mutating func endWord() {
        defer { captured.removeAll(keepingCapacity: true) }
        guard inWord else { return }
        inWord = false
        if captured.elementsEqual("true".utf8) {
            if NextPageNames.saysMore(plainName) { keepPath() }
        } else if captured.elementsEqual("false".utf8) {
            if NextPageNames.saysLast(plainName) { keepPath() }
        } else if let number = UInt64(String(decoding: captured, as: UTF8.self)) {
            judge(number)
        }
    }

    private mutating func judge(_ number: UInt64) {
        let (name, parent) = (plainName, plainParent)
        if NextPageNames.isMeasure(name) { hasMeasure = true }
        if number < 2 { return }
        if NextPageNames.isPageCount(name, in: parent) {
            keepPath()
        } else if NextPageNames.isRecordCount(name, in: parent) {
            count = count ?? UnaskedPages(place: here.description, total: number)
        } else if NextPageNames.isTotal(name) {
            total = total ?? UnaskedPages(place: here.description, total: number)
        }
    }

    private var plainName: String { NextPageNames.plain(name) }
    private var plainParent: String { NextPageNames.plain(open.last ?? "") }

    private mutating func keepPath() {
        if path == nil { path = here }
    }

    private var here: Path { Path(root: .feed, steps: (open.dropFirst() + [name]).map { .name($0) }) }
}
