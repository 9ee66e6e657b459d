import Foundation
import SluiceExtract
import SluiceRecords

/// Reads Parquet files naively, by the description of the format alone: what `sluice extract` writes is held against
/// it.
struct ParquetReader {
    private let bytes: [UInt8]
    private(set) var columns: [(name: String, values: [String])] = []

    private struct Wrong: Error { var what: String }

    init(_ path: String) throws {
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        guard bytes.prefix(4) == Array("PAR1".utf8)[...], bytes.suffix(4) == Array("PAR1".utf8)[...] else {
            throw Wrong(what: "no magic")
        }
        let length = Self.little(bytes, bytes.count - 8, 4)
        var thrift = Thrift(bytes: bytes, at: bytes.count - 8 - length)
        let footer = try thrift.structure()
        guard case .list(let schema)? = footer[2], case .list(let groups)? = footer[4] else {
            throw Wrong(what: "footer")
        }
        // Leaves with the group above them, if that is a list.
        var lists: [Bool] = []
        var names: [String] = []
        for element in schema.dropFirst() {
            guard case .structure(let fields) = element, case .text(let name)? = fields[4] else { continue }
            if fields[1] == nil {
                if name != "list" { names.append(name) }
            } else if name == "element", names.count > lists.count {
                lists.append(true)
            } else {
                names.append(name)
                lists.append(false)
            }
        }
        columns = names.map { ($0, []) }
        for case .structure(let group) in groups {
            guard case .list(let chunks)? = group[1] else { throw Wrong(what: "group") }
            for (index, chunk) in chunks.enumerated() {
                guard case .structure(let fields) = chunk, case .structure(let data)? = fields[3],
                    case .number(let offset)? = data[9], case .number(let kind)? = data[1]
                else { throw Wrong(what: "chunk") }
                guard case .number(let codec)? = data[4], [0, 2].contains(codec) else { throw Wrong(what: "codec") }
                let words = data[11] == nil ? nil : try dictionary(at: data[11], kind: Int(kind), isGzip: codec == 2)
                columns[index].values += try page(
                    at: Int(offset), kind: Int(kind), isList: lists[index], isGzip: codec == 2, words)
            }
        }
    }

    /// A row as texts: nulls are ∅, lists in brackets.
    var rows: [[String]] {
        (0..<(columns.first?.values.count ?? 0)).map { row in columns.map { $0.values[row] } }
    }

    /// The header of a page, and what is behind it.
    private func page(at offset: Int, isGzip: Bool) throws -> (header: [Int: Thrift.Value], body: [UInt8]) {
        var thrift = Thrift(bytes: bytes, at: offset)
        let header = try thrift.structure()
        guard case .number(let plain)? = header[2], case .number(let compressed)? = header[3] else {
            throw Wrong(what: "page")
        }
        let stored = Array(bytes[thrift.at..<thrift.at + Int(compressed)])
        let body = isGzip ? try gunzip(stored) : stored
        guard body.count == Int(plain) else { throw Wrong(what: "size") }
        return (header, body)
    }

    private func dictionary(at offset: Thrift.Value?, kind: Int, isGzip: Bool) throws -> [String] {
        guard case .number(let offset)? = offset else { throw Wrong(what: "dictionary") }
        let (header, body) = try page(at: Int(offset), isGzip: isGzip)
        guard case .number(2)? = header[1], case .structure(let about)? = header[7], case .number(let count)? = about[1]
        else { throw Wrong(what: "dictionary") }
        var values = try Values(bytes: body, at: 0, kind: kind, encoding: 0)
        return (0..<count).map { _ in values.next() }
    }

    private func page(
        at offset: Int, kind: Int, isList: Bool, isGzip: Bool, _ words: [String]?
    ) throws -> [String] {
        let (header, body) = try page(at: offset, isGzip: isGzip)
        guard case .structure(let data)? = header[5], case .number(let count)? = data[1],
            case .number(let encoding)? = data[2]
        else { throw Wrong(what: "page") }
        var at = 0
        let repeated = isList ? levels(body, &at, Int(count), width: 1) : []
        let defined = levels(body, &at, Int(count), width: isList ? 2 : 1)
        if let words {
            guard encoding == 8 else { throw Wrong(what: "encoding") }
            at += 1
            let indices = runs(body, &at, upTo: body.count, Int(count), width: Int(body[at - 1]))
            return defined.enumerated().map { $1 == 1 ? words[indices[$0]] : "∅" }
        }
        var values = try Values(bytes: body, at: at, kind: kind, encoding: Int(encoding))
        guard isList else { return defined.map { $0 == 1 ? values.next() : "∅" } }
        var lists: [String?] = []
        var open: [String] = []
        for (index, level) in defined.enumerated() {
            if repeated[index] == 0, index > 0 { close(&lists, &open, defined[index - 1]) }
            if level == 3 { open.append(values.next()) }
            if level == 2 { open.append("∅") }
        }
        if let last = defined.last { close(&lists, &open, last) }
        return lists.map { $0 ?? "∅" }
    }

    private func close(_ lists: inout [String?], _ open: inout [String], _ level: Int) {
        lists.append(level == 0 ? nil : "[" + open.joined(separator: ",") + "]")
        open = []
    }

    /// Runs and packed bits behind their length.
    private func levels(_ body: [UInt8], _ at: inout Int, _ count: Int, width: Int) -> [Int] {
        let end = at + 4 + Self.little(body, at, 4)
        at += 4
        return runs(body, &at, upTo: end, count, width: width)
    }

    private func runs(_ body: [UInt8], _ at: inout Int, upTo end: Int, _ count: Int, width: Int) -> [Int] {
        var levels: [Int] = []
        while at < end {
            var (head, shift) = (0, 0)
            repeat {
                head |= Int(body[at] & 0x7f) << shift
                shift += 7
                at += 1
            } while body[at - 1] & 0x80 != 0
            if head & 1 == 0 {
                levels += Array(repeating: Int(body[at]), count: head >> 1)
                at += 1
            } else {
                for group in 0..<head >> 1 {
                    let word = Self.little(body, at + group * width, width)
                    levels += (0..<8).map { word >> ($0 * width) & (1 << width - 1) }
                }
                at += (head >> 1) * width
            }
        }
        return Array(levels.prefix(count))
    }

    private struct Values {
        let bytes: [UInt8]
        var at: Int
        let kind: Int
        var bit = 0
        /// Those that are kept as differences.
        private var numbers: [Int64]?
        private var texts: [[UInt8]]?
        private var place = 0

        init(bytes: [UInt8], at: Int, kind: Int, encoding: Int) throws {
            (self.bytes, self.at, self.kind) = (bytes, at, kind)
            var delta = DeltaReader(bytes: bytes, at: at)
            switch (encoding, kind) {
            case (0, _): break
            case (5, 1), (5, 2): numbers = delta.numbers()
            case (7, 6): texts = delta.texts()
            default: throw Wrong(what: "encoding \(encoding) of \(kind)")
            }
        }

        mutating func next() -> String {
            defer { place += 1 }
            if let numbers { return (kind == 1 ? "day " : "") + "\(numbers[place])" }
            if let texts { return String(decoding: texts[place], as: UTF8.self) }
            return nextPlain()
        }

        private mutating func nextPlain() -> String {
            switch kind {
            case 0:
                defer { bit += 1 }
                return bytes[at + bit / 8] >> (bit % 8) & 1 == 1 ? "true" : "false"
            case 1:
                defer { at += 4 }
                return "day \(Int32(truncatingIfNeeded: ParquetReader.little(bytes, at, 4)))"
            case 2:
                defer { at += 8 }
                return "\(ParquetReader.little(bytes, at, 8))"
            case 5:
                defer { at += 8 }
                return "\(Double(bitPattern: UInt64(bitPattern: Int64(ParquetReader.little(bytes, at, 8)))))"
            default:
                let count = ParquetReader.little(bytes, at, 4)
                defer { at += 4 + count }
                return String(decoding: bytes[at + 4..<at + 4 + count], as: UTF8.self)
            }
        }
    }

    static func little(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }

    private func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let source = try openFeed(ArrayBytes(bytes), named: "a page")
        var out: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = try unsafe buffer.withUnsafeMutableBytes { try unsafe source.read(into: $0) }
            if got == 0 { return out }
            out += buffer.prefix(got)
        }
    }

    private final class ArrayBytes: ByteSource {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
            let taken = rest.prefix(buffer.count)
            unsafe buffer.copyBytes(from: taken)
            rest = rest.dropFirst(taken.count)
            return taken.count
        }
    }

    /// Thrift's compact protocol.
    private struct Thrift: ByteReading {
        enum Value {
            case number(Int64)
            case text(String)
            case list([Value])
            case structure([Int: Value])
        }

        let bytes: [UInt8]
        var at: Int

        mutating func structure() throws -> [Int: Value] {
            var fields: [Int: Value] = [:]
            var number = 0
            while bytes[at] != 0 {
                number += Int(bytes[at] >> 4)
                let kind = bytes[at] & 15
                at += 1
                fields[number] = try value(kind)
            }
            at += 1
            return fields
        }

        private mutating func value(_ kind: UInt8) throws -> Value {
            switch kind {
            case 5, 6: return .number(zigzag())
            case 8:
                let count = Int(varint())
                defer { at += count }
                return .text(String(decoding: bytes[at..<at + count], as: UTF8.self))
            case 9:
                let head = bytes[at]
                at += 1
                let count = head >> 4 == 15 ? Int(varint()) : Int(head >> 4)
                return .list(try (0..<count).map { _ in try value(head & 15) })
            case 12: return .structure(try structure())
            default: throw Wrong(what: "type \(kind)")
            }
        }
    }
}
