import CSluiceYajl
import SluiceRecords

extension JSONTree {
    /// Reads a JSON text, in which comments (`//` and `/* */`) may stand between tokens.
    ///
    /// It is UTF-8 as RFC 8259 has it, and no laxer; a byte-order mark is skipped. In a file whose name ends in
    /// `.jsonc`, a comma may stand behind the last element or member, as editors have it there.
    ///
    /// - Throws: a failure of kind `definition`, with its place.
    package static func read(_ bytes: [UInt8], file: String) throws(Failure) -> JSONTree {
        let reader = TreeReader(file.hasSuffix(".jsonc") ? TrailingCommas.blanked(bytes) : bytes)
        if let root = reader.read() { return JSONTree(file: file, root: root) }
        let position = reader.mistakePosition
        throw Failure(
            .definition, reader.mistake ?? "this is no JSON",
            at: Failure.Place(file: file, line: position.line, column: position.column, offset: position.offset))
    }
}

/// Runs yajl over a text. A class, as yajl calls back with a pointer to it.
@safe
final class TreeReader {
    private let bytes: [UInt8]
    /// The first byte that yajl sees.
    private let start: Int
    private var handle: yajl_handle?
    var cursor: TextCursor
    var builder = TreeBuilder()
    private(set) var mistake: String?
    private(set) var mistakePosition: JSONPosition

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        cursor = TextCursor(bytes)
        start = cursor.offset
        mistakePosition = cursor.position
        unsafe handle = nil
    }

    /// The value of the text; nil where there is a mistake.
    func read() -> JSONNode? {
        if let strange = TreeReader.firstInvalid(in: bytes) {
            cursor.move(to: strange)
            refuse("these bytes are no UTF-8")
            return nil
        }
        parse()
        if mistake == nil { _ = moveToToken() }
        return mistake == nil ? builder.root : nil
    }

    /// The offset of the first byte that is no UTF-8.
    private static func firstInvalid(in bytes: [UInt8]) -> Int? {
        do throws(UTF8.ValidationError) {
            let text = try UTF8Span(validating: bytes.span)
            return text.count == bytes.count ? nil : text.count
        } catch {
            return error.byteOffsets.lowerBound
        }
    }

    private func parse() {
        var callbacks = TreeReader.callbacks
        unsafe withUnsafePointer(to: &callbacks) { callbacks in
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            guard let handle = unsafe Parser.make(callbacks, context) else { return }
            defer { unsafe yajl_free(handle) }
            unsafe self.handle = handle
            _ = unsafe sluice_yajl_enable(handle, yajl_allow_comments)
            // The line feed ends a number at the end of the text, whose place yajl could not tell otherwise.
            let text = Array(bytes[start...]) + [UInt8(ascii: "\n")]
            let status = unsafe yajl_parse(handle, text, text.count)
            let end = tokenEnd
            if status == yajl_status_error {
                unsafe explain(TreeReader.complaint(of: handle), end: end)
            } else if status == yajl_status_ok, unsafe yajl_complete_parse(handle) == yajl_status_error {
                unsafe explain(TreeReader.complaint(of: handle), end: bytes.count)
            }
        }
    }

    private static func complaint(of handle: yajl_handle) -> String {
        guard let text = unsafe yajl_get_error(handle, 0, nil, 0) else { return "" }
        defer { unsafe yajl_free_error(handle, text) }
        return unsafe String(cString: text)
    }

    /// Where the token ends that yajl has read last.
    private var tokenEnd: Int { start + (unsafe handle.map { unsafe yajl_get_bytes_consumed($0) } ?? 0) }

    /// Notes the first mistake, where the cursor stands.
    func refuse(_ message: String) {
        guard mistake == nil else { return }
        mistake = message
        mistakePosition = cursor.position
    }

    /// Moves to the next token, if nothing but white space and comments are before it.
    private func moveToToken() -> Bool {
        if cursor.moveToToken() { return true }
        refuse("a form feed or a vertical tab is no white space in JSON")
        return false
    }

    /// Hands the start of the token that yajl has just read to `body`, and moves behind the token.
    func take(_ body: (JSONPosition) -> Void) -> Int32 {
        guard moveToToken() else { return 0 }
        body(cursor.position)
        guard mistake == nil else { return 0 }
        cursor.move(to: tokenEnd)
        return 1
    }

    /// Like ``take(_:)``, for a string.
    func takeString(_ body: (JSONPosition) -> Void) -> Int32 {
        take { position in
            body(position)
            guard let lone = cursor.loneSurrogate(before: tokenEnd) else { return }
            cursor.move(to: lone)
            refuse("this escape is half of a surrogate pair, and no character")
        }
    }
}

extension TreeReader {
    /// Notes what yajl complains about, in plain words.
    private func explain(_ complaint: String, end: Int) {
        let before = cursor
        guard moveToToken() else { return }
        if complaint.contains("premature EOF") {
            cursor.move(to: bytes.count)
            return refuse(unfinished)
        }
        if complaint.contains("invalid character inside string"), end >= bytes.count {
            cursor.move(to: bytes.count)
            return refuse("the text ends inside a string")
        }
        // Within a token, yajl knows the place. Of an unexpected comma or colon, over which the cursor has moved, only
        // the end is known.
        let isWithin = ["inside a string", "inside string", "digit"].contains { complaint.contains($0) }
        let place = isWithin ? end : min(cursor.offset, end - 1)
        cursor = TextCursor(bytes)
        if place < bytes.count, "]}".utf8.contains(bytes[place]), let comma = before.comma(before: place) {
            cursor.move(to: comma)
            let bracket = Character(UnicodeScalar(bytes[place]))
            return refuse("this comma must go: nothing follows it before the `\(bracket)`, and JSON allows none there")
        }
        cursor.move(to: place)
        if complaint.contains("inside a string, '\\' occurs") {
            return refuse(JSONHint(bytes).escapeHint(at: place))
        }
        if !isWithin || complaint.contains("digit"), let hint = JSONHint(bytes).hint(at: place) { return refuse(hint) }
        refuse(TreeReader.words.first { complaint.contains($0.0) }?.1 ?? "this is no JSON")
    }

    private var unfinished: String {
        guard let (name, position) = builder.innermost else {
            return bytes.allSatisfy { $0 <= 0x20 } ? "the text is empty" : "the text holds no whole JSON value"
        }
        return "the text ends inside the \(name) that starts at line \(position.line), column \(position.column)"
    }

    /// What yajl says, and how we say it.
    private static let words = [
        ("invalid character inside string", "a control character in a text must be escaped"),
        ("(non-hex)", "four hexadecimal digits must follow \\u"),
        ("a digit is required", "a digit was expected here"),
        ("invalid object key", "a key in double quotes was expected here"),
        ("separated by a colon", "a colon was expected here, after the key"),
        ("I expect ',' or '}'", "a comma or the object's closing brace was expected here"),
        ("I expect ',' or ']'", "a comma or the array's closing bracket was expected here"),
        ("trailing garbage", "nothing may follow the value"),
        ("unallowed token", "a value was expected here"),
        ("invalid", "a value was expected here; texts stand in double quotes"),
    ]
}
