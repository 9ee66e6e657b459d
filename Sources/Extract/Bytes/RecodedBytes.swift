import Glibc
import SluiceRecords

/// A name of an encoding that iconv knows, other than UTF-8.
package enum TextEncoding {
    /// Those that feeds are written in most.
    package static let usual = [
        "windows-1252", "iso-8859-1", "utf-16", "windows-1250", "windows-1251", "iso-8859-2", "iso-8859-15", "latin1",
        "ibm850", "macintosh", "shift_jis", "euc-jp", "gb18030", "big5", "koi8-r",
    ]

    /// Whether iconv can make UTF-8 of it.
    package static func isKnown(_ name: String) -> Bool {
        // What stands behind a slash would change what iconv does with characters that it cannot convert.
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), let handle = unsafe open(name) else {
            return false
        }
        _ = unsafe iconv_close(handle)
        return true
    }

    /// The encoding that the beginning of a feed speaks of, by a byte-order mark; nil: none.
    package static func marked(by beginning: [UInt8]) -> String? {
        beginning.starts(with: [0xff, 0xfe]) || beginning.starts(with: [0xfe, 0xff]) ? "utf-16" : nil
    }

    /// Whether all bytes are UTF-8.
    package static func isUTF8(_ source: any ByteSource) throws(Failure) -> Bool {
        var scan = TextScan()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var kept = 0
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(Failure) in
                    let got = try unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[kept...]))
                    let base = unsafe bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
                    let end = kept + got
                    let safe = unsafe scan.scan(base, from: 0, to: end, isLast: got == 0)
                    unsafe memmove(base, base + safe, end - safe)
                    kept = end - safe
                    return got
                }
            }
            if try outcome.get() == 0 || !scan.isWhole { return scan.isWhole }
        }
    }

    static func open(_ name: String) -> iconv_t? {
        let handle = unsafe iconv_open("UTF-8", name)
        return unsafe Int(bitPattern: handle) == -1 ? nil : handle
    }
}

/// Bytes as UTF-8, of an encoding, if it is another.
package func recoded(_ source: any ByteSource, _ encoding: String?) throws(Failure) -> any ByteSource {
    guard let encoding else { return source }
    return try RecodedBytes(source, encoding, named: "the feed")
}

/// Bytes in another encoding as UTF-8. What is no character there ends them: nothing is replaced or left out. What
/// begins with the byte-order mark of UTF-8 is UTF-8, whatever it was before.
@safe
final class RecodedBytes: ByteSource {
    private let source: any ByteSource
    private let encoding: String
    private let name: String
    private let handle: iconv_t
    private let digest: SHA256?
    private let buffer: UnsafeMutablePointer<CChar>
    /// The bytes at hand that are still to be converted.
    private var start = 0
    private var end = 0
    private var isLast = false
    private var isFlushed = false
    /// Whether the bytes are UTF-8; nil: so few have come that this is not known.
    private var isMarked: Bool?
    /// How many bytes have come.
    private(set) var count: UInt64 = 0
    /// Nil: the encoding has characters of several bytes, or nobody wants to know.
    private var scan: MisreadingScan?

    private static let capacity = 1 << 16

    /// - Parameter isDigested: whether the digest of the bytes as they come is wanted, and whether they are UTF-8.
    init(_ source: any ByteSource, _ encoding: String, named name: String, isDigested: Bool = false) throws(Failure) {
        guard let handle = unsafe TextEncoding.open(encoding) else {
            throw Failure(.definition, "there is no encoding \(JSONText.quoted(encoding))")
        }
        digest = isDigested ? try SHA256() : nil
        scan = isDigested ? MisreadingScan(encoding) : nil
        unsafe self.handle = handle
        self.source = source
        self.encoding = encoding
        self.name = name
        unsafe buffer = .allocate(capacity: RecodedBytes.capacity)
    }

    deinit {
        _ = unsafe iconv_close(handle)
        unsafe buffer.deallocate()
    }

    var consumed: Int { source.consumed }

    /// The digest of the bytes as they came.
    func finishDigest() throws(Failure) -> String? { try digest?.hexadecimal() }

    /// Whether the bytes were not of the encoding, but UTF-8: known in the end.
    var misreading: Misreading? { isMarked == false ? scan?.result : nil }

    func read(into target: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            let made =
                switch isMarked {
                case true?: unsafe copy(into: target)
                case false?: try unsafe convert(into: target)
                case nil: 0
                }
            if made > 0 { return made }
            if isLast {
                guard start == end else { throw broken() }
                return isMarked == false ? try unsafe flush(into: target) : 0
            }
            try fill()
            if isMarked == nil { lookForMark() }
        }
    }

    private func lookForMark() {
        let mark = ByteOrderMark.bytes.count
        guard end - start >= mark || isLast else { return }
        let beginning = (start..<min(end, start + mark)).map { unsafe UInt8(bitPattern: buffer[$0]) }
        isMarked = ByteOrderMark.count(at: beginning) > 0
    }

    /// Hands over what is at hand, and returns how many bytes that is.
    private func copy(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(end - start, target.count)
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: buffer + start, count: count))
        start += count
        return count
    }

    /// Converts what is at hand, and returns how many bytes that has given.
    private func convert(into target: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard end > start else { return 0 }
        var input: UnsafeMutablePointer<CChar>? = unsafe buffer + start
        var inputLeft = end - start
        var output = unsafe target.baseAddress?.assumingMemoryBound(to: CChar.self)
        var outputLeft = target.count
        let outcome = unsafe iconv(handle, &input, &inputLeft, &output, &outputLeft)
        let code = errno
        start = end - inputLeft
        let made = target.count - outputLeft
        // What is too much for the target, or not all there, comes later.
        if outcome == .max, code == EILSEQ, made == 0 { throw broken() }
        if outcome == .max, code == E2BIG, made == 0 {
            throw Failure(.defect, "\(name): there is no room for a character")
        }
        return made
    }

    /// Hands over the character that iconv keeps back, as a mark may follow it that makes another one of it.
    private func flush(into target: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        if isFlushed { return 0 }
        var output = unsafe target.baseAddress?.assumingMemoryBound(to: CChar.self)
        var outputLeft = target.count
        guard unsafe iconv(handle, nil, nil, &output, &outputLeft) != .max else {
            throw Failure(.defect, "\(name): there is no room for a character")
        }
        isFlushed = true
        return target.count - outputLeft
    }

    private func fill() throws(Failure) {
        unsafe memmove(buffer, buffer + start, end - start)
        (start, end) = (0, end - start)
        let room = unsafe UnsafeMutableRawBufferPointer(start: buffer + end, count: RecodedBytes.capacity - end)
        let got = try unsafe source.read(into: room)
        isLast = got == 0
        unsafe digest?.update(UnsafeRawBufferPointer(rebasing: room[..<got]))
        unsafe scan?.scan(UnsafeRawBufferPointer(rebasing: room[..<got]))
        end += got
        count += UInt64(got)
    }

    private func broken() -> Failure {
        let offset = count - UInt64(end - start)
        let byte = unsafe String(UInt8(bitPattern: buffer[start]), radix: 16)
        return Failure(
            .data, "\(name): its byte \(offset + 1), 0x\(byte), does not begin a character of \(encoding)")
    }
}
