import SluicePosix
import SluiceRecords

/// A Parquet file that is being written, under a name of its own until it is whole.
///
/// Data pages of version 1, one to a column of a row group: numbers and texts as their differences (``DeltaNumbers``,
/// ``DeltaTexts``), all the same text as one entry of a dictionary, everything else plain; gzip where that is worth it.
/// PyArrow, DuckDB, and Spark from 3.3 on, with its vectorized reader, understand that.
package final class ParquetFile {
    private static let magic = Array("PAR1".utf8)
    /// `CompressionCodec` of the format.
    private enum Codec: Int32 {
        case none = 0
        case gzip = 2
    }

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
        var encoding: ParquetEncoding
        var codec: Codec
        var values: Int
        /// Of the dictionary, where there is one, and of the values.
        var offset: Int
        var valuesOffset: Int
        /// With the pages' headers.
        var bytes: Int
        /// Likewise, before it was compressed.
        var plainBytes: Int

        var hasDictionary: Bool { encoding == .dictionary }
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
        let compressor = try PageCompressor()
        var chunks: [Chunk] = []
        for index in buffers.indices {
            chunks.append(try write(buffers[index], compressor))
            buffers[index].reset()
        }
        groups.append(Group(rows: rowsInGroup, chunks: chunks))
        rowsInGroup = 0
    }

    private func write(_ buffer: ColumnBuffer, _ compressor: PageCompressor) throws(Failure) -> Chunk {
        let start = offset
        var plainBytes = 0
        if let dictionary = buffer.dictionary() {
            plainBytes += try write(dictionary, .dictionary) { page in
                page.write(7) { about in
                    about.write(1, Int32(1))
                    about.write(2, dictionary.encoding.rawValue)
                }
            }
        }
        let valuesOffset = offset
        let page = buffer.page()
        // A dictionary has the codec of its values, and would not become smaller.
        let compressed = page.encoding == .dictionary ? nil : try compressor.compressed(page)
        plainBytes += try write(page, .data, compressed: compressed) { header in
            header.write(5) { data in
                data.write(1, Int32(buffer.count))
                data.write(2, page.encoding.rawValue)
                data.write(3, ParquetEncoding.runs.rawValue)
                data.write(4, ParquetEncoding.runs.rawValue)
            }
        }
        return Chunk(
            column: buffer.column, encoding: page.encoding, codec: compressed == nil ? .none : .gzip,
            values: buffer.count, offset: start, valuesOffset: valuesOffset, bytes: offset - start,
            plainBytes: plainBytes)
    }

    /// `PageType` of the format.
    private enum PageType: Int32 {
        case data = 0
        case dictionary = 2
    }

    /// Writes a page. Returns what it takes without compression.
    private func write(
        _ page: ColumnPage, _ type: PageType, compressed: ColumnBytes? = nil, _ details: (inout ThriftWriter) -> Void
    ) throws(Failure) -> Int {
        var thrift = ThriftWriter()
        thrift.element { header in
            header.write(1, type.rawValue)
            header.write(2, Int32(page.count))
            header.write(3, Int32(compressed?.count ?? page.count))
            details(&header)
        }
        try write(thrift.bytes)
        for part in compressed.map({ [$0] }) ?? page.parts { try write(part) }
        return thrift.bytes.count + page.count
    }

    /// Ends the file, which is on the disk then.
    package func finish() throws(Failure) {
        try endGroup()
        let footer = footer
        try write(footer)
        try write([UInt8].length(footer.count))
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
                let encodings = [.runs, chunk.encoding] + (chunk.hasDictionary ? [ParquetEncoding.plain] : [])
                data.write(2, encodings, of: .i32) { $0.element($1.rawValue) }
                data.write(3, chunk.column.path, of: .binary) { $0.element($1) }
                data.write(4, chunk.codec.rawValue)
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

    private func write(_ bytes: ColumnBytes) throws(Failure) {
        try unsafe file.write(UnsafeRawBufferPointer(bytes.view))
        offset += bytes.count
    }
}
