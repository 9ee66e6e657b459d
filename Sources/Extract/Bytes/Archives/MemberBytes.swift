import Glibc
import SluicePosix
import SluiceRecords

/// The bytes of one of the files that an archive holds.
final class MemberBytes: ByteSource {
    private let reader: ArchiveReader
    private let whenRead: (ArchiveReader) -> Void
    private let start: Int
    private var end: Int?

    /// - Parameter member: its path in the archive.
    /// - Throws: `missing` where the archive does not hold it, `data` where it is a link.
    convenience init(_ file: any EncodedBytes, member: String) throws(Failure) {
        let reader = try ArchiveReader(file, .zipOrTar)
        let wanted = Array(member.utf8)
        while let path = try reader.nextFile() {
            if path == wanted {
                self.init(reader)
                return
            }
        }
        if reader.links.contains(wanted) { throw ArchiveFiles.linkFailure(wanted, in: file.name) }
        throw MemberBytes.missing(member, in: file.name)
    }

    /// - Parameters:
    ///   - reader: stands before the file.
    ///   - whenRead: takes the reader, which stands behind it then.
    init(_ reader: ArchiveReader, whenRead: @escaping (ArchiveReader) -> Void = { _ in }) {
        self.reader = reader
        self.whenRead = whenRead
        start = reader.consumed
    }

    static func missing(_ member: String, in archive: String) -> Failure {
        Failure(.missing, "\(archive)/\(member) does not exist: the archive holds no such file")
    }

    var consumed: Int { (end ?? reader.consumed) - start }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard end == nil else { return 0 }
        let got = try unsafe reader.read(into: buffer)
        if got == 0 {
            end = reader.consumed
            try reader.checkUnchanged()
            whenRead(reader)
        }
        return got
    }
}

extension TemporaryFile {
    /// A reader of what has been written.
    ///
    /// - Parameters:
    ///   - name: of what it is a copy.
    ///   - place: what it reads; nil: all.
    func reader(named name: String, _ place: Range<Int>? = nil) throws(Failure) -> FileBytes {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard
            let bytes = FileBytes(
                descriptor: copy, name: name, start: place?.lowerBound ?? 0, end: place?.upperBound)
        else {
            throw Failure(.io, "\(name) cannot be read", errno: errno)
        }
        return bytes
    }

    /// Writes all that a source has.
    package func append(all bytes: any ByteSource) throws(Failure) {
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { memory in
                Result { () throws(Failure) in
                    let count = try unsafe bytes.read(into: memory)
                    try unsafe append(UnsafeRawBufferPointer(rebasing: memory[..<count]))
                    return count
                }
            }
            if try outcome.get() == 0 { break }
        }
    }
}
