import SluicePosix
import SluiceRecords

/// A Parquet file that is being written, under a name of its own until it is whole.
///
/// Data pages of version 1, one to a column of a row group, values plain, or all the same one of a dictionary, gzip: what
/// every reader understands.
package final class ParquetFile {
    private static let magic = Array("PAR1".utf8)
    /// `CompressionCodec` of the format.
    private static let gzip: Int32 = 2

    private let columns: [ParquetColumn]
    /// Of the columns, in their order: each row gives each of them a value, or a null.
    package let buffers: [ColumnBuffer]
    private let file: WrittenFile
    private var offset = 0
    private var rowsInGroup = 0
    private var groups: [Group] = []

    private struct Group {
        var rows: Int
        var chunks: [Chunk]
    }

    private struct Chunk {
        var column: ParquetColumn
        var values: Int
        /// Of the dictionary, where there is one, and of the values.
        var offset: Int
        var valuesOffset: Int
        /// With the pages' headers.
        var bytes: Int
        /// Likewise, before it was compressed.
        var plainBytes: Int

        var hasDictionary: Bool { offset < valuesOffset }
    }

    /// - Throws: `uncreatable` where the file cannot be made.
    package init(_ path: String, _ columns: [ParquetColumn]) throws(Failure) {
        self.columns = columns
        buffers = columns.map(ColumnBuffer.init)
        file = try WrittenFile(path)
        try write(ParquetFile.magic)
    }

    /// Bytes of values that wait for the end of their row group.
    package var waiting: Int { buffers.reduce(0) { $0 + $1.byteCount } }

    /// Rows so far.
    package var rowCount: Int { groups.reduce(rowsInGroup) { $0 + $1.rows } }

    /// Says that each buffer has its values of so many rows more.
    package func endRows(_ count: Int) { rowsInGroup += count }

    /// Writes the rows that wait.
    package func endGroup() throws(Failure) {
        guard rowsInGroup > 0 else { return }
        var chunks: [Chunk] = []
        for index in buffers.indices {
            chunks.append(try write(buffers[index]))
            buffers[index].reset()
        }
        groups.append(Group(rows: rowsInGroup, chunks: chunks))
        rowsInGroup = 0
    }

    private func write(_ buffer: ColumnBuffer) throws(Failure) -> Chunk {
        let start = offset
        var plainBytes = 0
        if let constant = buffer.constant {
            plainBytes += try write(page: constant.behindLength, .dictionary) { page in
                page.write(7) { dictionary in
                    dictionary.write(1, Int32(1))
                    dictionary.write(2, Encoding.plain.rawValue)
                }
            }
        }
        let valuesOffset = offset
        plainBytes += try write(page: buffer.page, .data) { page in
            page.write(5) { data in
                data.write(1, Int32(buffer.count))
                data.write(2, (buffer.constant == nil ? Encoding.plain : .dictionary).rawValue)
                data.write(3, Encoding.runs.rawValue)
                data.write(4, Encoding.runs.rawValue)
            }
        }
        return Chunk(
            column: buffer.column, values: buffer.count, offset: start, valuesOffset: valuesOffset,
            bytes: offset - start, plainBytes: plainBytes)
    }

    /// `Encoding` of the format.
    private enum Encoding: Int32 {
        case plain = 0
        /// Runs and packed bits: of levels.
        case runs = 3
        /// Likewise, of indices into a dictionary.
        case dictionary = 8
    }

    /// `PageType` of the format.
    private enum PageType: Int32 {
        case data = 0
        case dictionary = 2
    }

    /// Writes a page. Returns what it takes without compression.
    private func write(
        page: [UInt8], _ type: PageType, _ details: (inout ThriftWriter) -> Void
    ) throws(Failure) -> Int {
        let compressed = try Gzip.compressed(page)
        var thrift = ThriftWriter()
        thrift.element { header in
            header.write(1, type.rawValue)
            header.write(2, Int32(page.count))
            header.write(3, Int32(compressed.count))
            details(&header)
        }
        try write(thrift.bytes)
        try write(compressed)
        return thrift.bytes.count + page.count
    }

    /// Ends the file, which is on the disk then.
    package func finish() throws(Failure) {
        try endGroup()
        let footer = footer
        try write(footer)
        try write(footer.length)
        try write(ParquetFile.magic)
        try file.sync()
    }

    /// Gives the file its name.
    package func publish() throws(Failure) { try file.finish() }

    private var footer: [UInt8] {
        var thrift = ThriftWriter()
        thrift.element { file in
            file.write(1, Int32(1))
            SchemaWriter(columns).write(2, to: &file)
            file.write(3, Int64(rowCount))
            file.write(4, groups, of: .structure) { $0.element(ParquetFile.describe($1)) }
            file.write(6, "sluice")
        }
        return thrift.bytes
    }

    private static func describe(_ group: Group) -> (inout ThriftWriter) -> Void {
        { thrift in
            thrift.write(1, group.chunks, of: .structure) { $0.element(describe($1)) }
            thrift.write(2, Int64(group.chunks.reduce(0) { $0 + $1.plainBytes }))
            thrift.write(3, Int64(group.rows))
        }
    }

    private static func describe(_ chunk: Chunk) -> (inout ThriftWriter) -> Void {
        { thrift in
            thrift.write(2, Int64(chunk.offset))
            thrift.write(3) { data in
                data.write(1, chunk.column.kind.physical)
                let encodings = [Encoding.plain, .runs] + (chunk.hasDictionary ? [.dictionary] : [])
                data.write(2, encodings, of: .i32) { $0.element($1.rawValue) }
                data.write(3, chunk.column.path, of: .binary) { $0.element($1) }
                data.write(4, gzip)
                data.write(5, Int64(chunk.values))
                data.write(6, Int64(chunk.plainBytes))
                data.write(7, Int64(chunk.bytes))
                data.write(9, Int64(chunk.valuesOffset))
                if chunk.hasDictionary { data.write(11, Int64(chunk.offset)) }
            }
        }
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        try file.write(bytes)
        offset += bytes.count
    }
}
