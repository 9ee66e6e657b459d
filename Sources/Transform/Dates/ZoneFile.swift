import SluiceRecords

#if canImport(Glibc)
    import Glibc
#endif

/// A compiled time zone as RFC 8536 (TZif) describes it.
struct ZoneFile {
    /// Before the first transition.
    private(set) var initialOffset: Int64 = 0
    private(set) var transitions: [Zone.Transition] = []
    /// What holds after the last transition; nil: what held then.
    private(set) var rule: ZoneRule?

    static let directory = "/usr/share/zoneinfo"

    /// The file of a zone, or the message that there is none.
    static func bytes(ofZone name: String) throws(InvalidConversion) -> [UInt8] {
        let isSafe = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
        // A name is looked up below the directory and nowhere else: no dot, so that nothing leads out of it.
        if isSafe, !name.isEmpty, !name.hasPrefix("/"), let bytes = read("\(directory)/\(name)") { return bytes }
        if unsafe access(directory, R_OK) != 0 {
            throw InvalidConversion(
                message: "the time zone \(name) cannot be had: there is no database in \(directory) (package tzdata)")
        }
        throw InvalidConversion(message: "there is no time zone \(name) in \(directory)\(suggestion(for: name))")
    }

    /// The zone of a city that is written without its continent, or in other letters.
    private static func suggestion(for name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        let city = last.lowercased().replacingExactly(" ", with: "_")
        guard !city.isEmpty else { return "" }
        for continent in ["Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian"] {
            let found = names(in: "\(directory)/\(continent)").first { $0.lowercased() == city }
            if let found { return ": did you mean \(continent)/\(found)?" }
        }
        return misspelt(name).map { ": did you mean \($0)?" } ?? ""
    }

    /// The zone of a city in whose name one letter is another one, lacks, or is too much.
    private static func misspelt(_ name: String) -> String? {
        let parts = name.split(separator: "/").map(String.init)
        guard parts.count == 2, parts[1].utf8.count > 3 else { return nil }
        let city = Array(parts[1].lowercased().utf8)
        let found = names(in: "\(directory)/\(parts[0])").sorted().first { isNear(Array($0.lowercased().utf8), city) }
        return found.map { "\(parts[0])/\($0)" }
    }

    /// Whether two words have the same beginning and the same end, and hardly anything between.
    private static func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard abs(one.count - other.count) < 2 else { return false }
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
        return start + end + 2 >= max(one.count, other.count)
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                })
        }
        return names
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = unsafe fopen(path, "rb") else { return nil }
        defer { unsafe fclose(file) }
        // Zone files have a few kilobytes. A directory opens, too, and reads as nothing.
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    /// Takes a file apart; nil if it is no such file, or counts leap seconds (which POSIX time does not).
    init?(_ bytes: [UInt8]) {
        var reader = BigEndianReader(bytes)
        guard let first = Header(&reader) else { return nil }
        if first.version == 0 {
            guard readBody(&reader, first, timeSize: 4) else { return nil }
            return
        }
        // The first block is for readers of version 1.
        guard reader.skip(first.size(timeSize: 4)), let second = Header(&reader),
            readBody(&reader, second, timeSize: 8)
        else { return nil }
        guard let footer = reader.line() else { return nil }
        if footer.isEmpty { return }
        rule = ZoneRule(footer)
        if rule == nil { return nil }
    }

    private struct Header {
        var version: UInt8
        var counts: [Int] = []

        var leapSeconds: Int { counts[2] }
        var transitions: Int { counts[3] }
        var types: Int { counts[4] }

        init?(_ reader: inout BigEndianReader) {
            guard reader.skip("TZif"), let version = reader.integer(1), reader.skip(15) else { return nil }
            self.version = UInt8(truncatingIfNeeded: version)
            for _ in 0..<6 {
                guard let count = reader.integer(4), count >= 0 else { return nil }
                counts.append(Int(count))
            }
            guard types > 0, leapSeconds == 0 else { return nil }
        }

        /// Bytes of the block after this header.
        func size(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + counts[5] + leapSeconds * (timeSize + 4) + counts[1] + counts[0]
        }
    }

    private mutating func readBody(_ reader: inout BigEndianReader, _ header: Header, timeSize: Int) -> Bool {
        guard reader.left >= header.size(timeSize: timeSize) else { return false }
        let starts = (0..<header.transitions).compactMap { _ in reader.integer(timeSize) }
        let types = (0..<header.transitions).compactMap { _ in reader.integer(1) }
        var offsets: [Int64] = []
        for _ in 0..<header.types {
            guard let offset = reader.integer(4), reader.skip(2) else { return false }
            offsets.append(offset)
        }
        guard types.allSatisfy({ $0 >= 0 && $0 < header.types }), zip(starts, starts.dropFirst()).allSatisfy(<),
            reader.skip(header.counts[5] + header.counts[1] + header.counts[0])
        else { return false }
        initialOffset = offsets[0]
        transitions = zip(starts, types).map { Zone.Transition(start: $0, offset: offsets[Int($1)]) }
        return true
    }
}

/// Reads big-endian integers and lines, never beyond the end.
private struct BigEndianReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var left: Int { bytes.count - index }

    mutating func skip(_ count: Int) -> Bool {
        guard count <= left else { return false }
        index += count
        return true
    }

    mutating func skip(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        return skip(text.utf8.count)
    }

    /// A signed integer of so many bytes.
    mutating func integer(_ size: Int) -> Int64? {
        guard size <= left else { return nil }
        var value = Int64(Int8(bitPattern: bytes[index]))
        for byte in bytes[(index + 1)..<(index + size)] { value = value << 8 | Int64(byte) }
        index += size
        return value
    }

    /// The text between this newline and the next.
    mutating func line() -> String? {
        guard left >= 2, bytes[index] == UInt8(ascii: "\n"),
            let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        defer { index = end + 1 }
        return String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
    }
}
