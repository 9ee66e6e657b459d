import Glibc
import SluiceRecords

/// The bytes of the only file that a zip holds.
final class ZipBytes: ByteSource {
    private let reader: ArchiveReader
    private var isAtEnd = false

    init(_ file: any EncodedBytes) throws(Failure) {
        reader = try ArchiveReader(file, .zip)
        if file.isSeekable {
            // A zip of several files is refused before anything of it is read.
            if try reader.nextFile() != nil { try checkNothingFollows() }
            _ = try file.seek(0, SEEK_SET)
            try reader.open()
        }
        guard try reader.nextFile() != nil else { throw Failure(.data, "\(file.name) is a zip that holds no file") }
    }

    static func isZip(_ beginning: [UInt8]) -> Bool {
        // A zip without any file begins with its end.
        beginning.starts(with: [0x50, 0x4b, 0x03, 0x04]) || beginning.starts(with: [0x50, 0x4b, 0x05, 0x06])
    }

    var consumed: Int { reader.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard !isAtEnd else { return 0 }
        let got = try unsafe reader.read(into: buffer)
        if got == 0 {
            isAtEnd = true
            try checkNothingFollows()
            try reader.checkUnchanged()
        }
        return got
    }

    private func checkNothingFollows() throws(Failure) {
        guard try reader.nextFile() != nil else { return }
        throw Failure(
            .data,
            "\(reader.name) is a zip that holds several files; a feed is a single one, which \"member\" names, or"
                + " \(reader.name)/NAME")
    }
}
