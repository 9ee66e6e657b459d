import CSluicePCRE2
import SluiceRecords

/// A regular expression, compiled; it is used by one thread at a time.
///
/// What it may spend on one value is limited, so that neither a hostile text nor a careless pattern can hold up a run.
@safe
final class Pattern {
    /// What a pattern makes of a text.
    enum Outcome {
        /// From this byte to before that one.
        case found(Int, Int)
        /// No match, or one without the group.
        case none
    }

    private let code: OpaquePointer
    private let context: OpaquePointer
    private let data: OpaquePointer
    private let stack: OpaquePointer?
    /// 1: the first group; 0: the whole match.
    private let group: Int
    private let isAnchored: Bool

    /// About 10 milliseconds of backtracking. PCRE2 counts from anew at each start in the text.
    private static let matchLimit: UInt32 = 1_000_000
    /// In kibibytes, for backtracking points, where there is no compiled code for the machine.
    private static let heapLimit: UInt32 = 65_536
    /// A pattern that starts anywhere may need time in proportion to the square of the length: the worst, such as
    /// `a(?=[^,]*;)`, half a minute for a text of 256 KiB.
    private static let longestUnanchored = 1 << 18
    /// And one that starts at the beginning may do so too, by its own parts.
    private static let longestAnchored = 1 << 24

    /// Compiles a pattern, or throws PCRE2's message with the place in the pattern.
    init(_ text: String) throws(InvalidConversion) {
        unsafe code = try Pattern.compile(text)
        // Without compiled code the pattern is interpreted, with the same outcome.
        unsafe _ = pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
        var groups: UInt32 = 0
        unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &groups)
        group = groups > 0 ? 1 : 0
        var options: UInt32 = 0
        unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_ALLOPTIONS), &options)
        isAnchored = options & PCRE2_ANCHORED != 0
        guard let context = unsafe pcre2_match_context_create_8(nil),
            let data = unsafe pcre2_match_data_create_from_pattern_8(code, nil)
        else { OutOfMemory.end(for: "a regular expression") }
        unsafe self.context = unsafe context
        unsafe self.data = unsafe data
        unsafe pcre2_set_match_limit_8(context, Pattern.matchLimit)
        unsafe pcre2_set_depth_limit_8(context, Pattern.matchLimit)
        unsafe pcre2_set_heap_limit_8(context, Pattern.heapLimit)
        // Without a stack of its own the compiled code has 32 KiB.
        unsafe stack = pcre2_jit_stack_create_8(1 << 15, 1 << 20, nil)
        if let stack = unsafe stack {
            unsafe pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
        }
    }

    deinit {
        unsafe pcre2_match_data_free_8(data)
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_jit_stack_free_8(stack)
        unsafe pcre2_code_free_8(code)
    }

    private static func compile(_ text: String) throws(InvalidConversion) -> OpaquePointer {
        var error: Int32 = 0
        var offset = 0
        var text = text
        // A single code unit (\C) could cut a character in two.
        let options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C
        let code = text.withUTF8 { bytes in
            // PCRE2 10.42 wants a pointer even to an empty pattern.
            unsafe pcre2_compile_8(
                bytes.baseAddress ?? UnsafePointer(bitPattern: 1), bytes.count, options, &error, &offset, nil)
        }
        if let code = unsafe code { return unsafe code }
        throw InvalidConversion(
            message: "the pattern is wrong at its character \(characters(text, upTo: offset) + 1): \(message(error))")
    }

    /// Complete characters (Unicode scalars) within the first bytes of a text.
    private static func characters(_ text: String, upTo bytes: Int) -> Int {
        String(decoding: text.utf8.prefix(bytes), as: UTF8.self).unicodeScalars.count
    }

    private static func message(_ error: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let length = unsafe pcre2_get_error_message_8(error, &buffer, buffer.count)
        return String(decoding: buffer.prefix(Int(max(length, 0))), as: UTF8.self)
    }

    /// Whether the pattern matches a text, which must be UTF-8 throughout, whatever its groups do.
    func matches(_ text: ByteView) throws(Complaint) -> Bool { try run(text, from: 0) > 0 }

    /// Looks for the pattern in a text, likewise.
    func search(_ text: ByteView) throws(Complaint) -> Outcome {
        guard let part = part(try run(text, from: 0)) else { return .none }
        return .found(part.lowerBound, part.upperBound)
    }

    /// A match of several in a text.
    struct Match {
        /// What is wanted of it; nil: the group took no part.
        var part: Range<Int>?
        /// From where on the next one may be.
        var end: Int
    }

    /// Looks for the pattern in a text from a place on.
    func next(_ text: ByteView, from start: Int) throws(Complaint) -> Match? {
        let result = try run(text, from: start)
        guard result > 0, let pairs = unsafe pcre2_get_ovector_pointer_8(data) else { return nil }
        let (first, last) = unsafe (Int(pairs[0]), Int(pairs[1]))
        var end = max(last, first)
        // An empty match, or one that ends where it was looked for (\K): the next one is behind the next character.
        if end <= max(first, start) {
            end = max(first, start) + 1
            while end < text.count, text[end] & 0xc0 == 0x80 { end += 1 }
        }
        return Match(part: part(result), end: end)
    }

    /// The part of a match that is wanted.
    private func part(_ result: Int32) -> Range<Int>? {
        // Fewer pairs than groups: the last groups are unset.
        guard result > group, let pairs = unsafe pcre2_get_ovector_pointer_8(data) else { return nil }
        let start = unsafe pairs[group * 2]
        let end = unsafe pairs[group * 2 + 1]
        // An unset group has the largest number there is at both ends, which `Int` shows as -1.
        return start != Int(bitPattern: UInt.max) && start <= end ? start..<end : nil
    }

    /// How many pairs of places a match has, or 0 for none.
    private func run(_ text: ByteView, from start: Int) throws(Complaint) -> Int32 {
        guard text.count <= (isAnchored ? Pattern.longestAnchored : Pattern.longestUnanchored) else {
            throw .gaveUp(isAnchored ? "it is longer than 16 MiB" : "it is longer than 256 KiB")
        }
        let result = unsafe pcre2_match_8(code, text.pointer, text.count, start, PCRE2_NO_UTF_CHECK, data, context)
        if result == PCRE2_ERROR_NOMATCH { return 0 }
        guard result > 0 else { throw .gaveUp(Pattern.limit(result)) }
        return result
    }

    private static func limit(_ error: Int32) -> StaticString {
        switch error {
        case PCRE2_ERROR_MATCHLIMIT: "match limit"
        case PCRE2_ERROR_DEPTHLIMIT: "depth limit"
        case PCRE2_ERROR_HEAPLIMIT: "heap limit"
        case PCRE2_ERROR_JIT_STACKLIMIT: "stack limit"
        default: "an error of PCRE2"
        }
    }
}
