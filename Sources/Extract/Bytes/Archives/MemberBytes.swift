import Glibc
import SluicePosix
import SluiceRecords

/// The bytes of one of the files that an archive holds.
final class MemberBytes: ByteSource {
    private let reader: ArchiveReader
    private var isAtEnd = false

    /// - Parameter member: its path in the archive.
    /// - Throws: `missing` where the archive does not hold it.
    init(_ file: any FeedBytes, member: String) throws(Failure) {
        reader = try ArchiveReader(file, .zipOrTar)
        let wanted = Array(member.utf8)
        while let path = try reader.nextFile() {
            if path == wanted { return }
        }
        throw MemberBytes.missing(member, in: file.name)
    }

    static func missing(_ member: String, in archive: String) -> Failure {
        Failure(.missing, "\(archive)/\(member) does not exist: the archive holds no such file")
    }

    var consumed: Int { reader.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard !isAtEnd else { return 0 }
        let got = try unsafe reader.read(into: buffer)
        if got == 0 {
            isAtEnd = true
            try reader.checkUnchanged()
        }
        return got
    }

    /// The paths of all files that an archive holds, in the order of their bytes.
    ///
    /// - Throws: `data` where two have one path: nobody could say which is meant.
    static func paths(of file: any FeedBytes) throws(Failure) -> [[UInt8]] {
        let reader = try ArchiveReader(file, .zipOrTar)
        var paths: [[UInt8]] = []
        while let path = try reader.nextFile() { paths.append(path) }
        paths.sort { $0.lexicographicallyPrecedes($1) }
        for (path, next) in zip(paths, paths.dropFirst()) where path == next {
            throw Failure(.data, "\(file.name) holds \(String(decoding: path, as: UTF8.self)) twice")
        }
        return paths
    }
}

/// The bytes of a file that an archive holds, which a temporary file has; decompressed, where it is compressed itself. nil:
/// the archive does not hold it.
package func openMember(
    _ member: String, of file: TemporaryFile, named name: String
) throws(Failure) -> (any ByteSource)? {
    let bytes = try file.reader(named: name)
    // Two of that name are found out before one is read.
    guard try MemberBytes.paths(of: bytes).contains(Array(member.utf8)) else { return nil }
    _ = try bytes.seek(0, SEEK_SET)
    return try openFeed(StreamedBytes(MemberBytes(bytes, member: member), named: "\(name)/\(member)"))
}

extension TemporaryFile {
    /// A reader of all that has been written.
    ///
    /// - Parameter name: of what it is a copy.
    func reader(named name: String) throws(Failure) -> FileBytes {
        guard let bytes = FileBytes(descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 3), name: name, start: 0) else {
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
