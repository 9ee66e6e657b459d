import SluiceRecords

/// An archive of which several files are read, one after the other: it is gone through as seldom as can be.
///
/// Once a file has been read, the archive stays open, and the next one is looked for behind it. What is passed by on
/// the way there and is wanted later is kept in a temporary file, as far as there is room. Only where a file lies
/// behind, and is not kept, the archive is opened again.
package final class ArchivePass {
    private let name: String
    private let begin: () throws(Failure) -> any EncodedBytes
    private let checkCancelled: () throws(Failure) -> Void
    /// How often each file is still to be read.
    private var wanted: [[UInt8]: Int] = [:]
    /// Behind the file that was read last.
    private var reader: ArchiveReader?
    /// Files that are wanted, and lie before the place where the reader is.
    private var passed: Set<[UInt8]> = []
    private var spool: MemberSpool

    /// Bytes that are kept of what is passed by, at the most.
    static let mostKept = 1 << 30

    /// - Parameters:
    ///   - name: of the archive.
    ///   - wanted: the paths of the files that are to be read.
    ///   - begin: opens the archive.
    init(
        _ name: String, wanted: [String], mostKept: Int = ArchivePass.mostKept,
        checkCancelled: @escaping () throws(Failure) -> Void = { () throws(Failure) in },
        begin: @escaping () throws(Failure) -> any EncodedBytes
    ) {
        self.name = name
        self.begin = begin
        self.checkCancelled = checkCancelled
        spool = MemberSpool(most: mostKept)
        for path in wanted { self.wanted[Array(path.utf8), default: 0] += 1 }
    }

    /// The bytes of a file, decompressed, which must be read before the next one is asked for; nil: the archive does
    /// not hold it.
    func feed(_ member: String) throws(Failure) -> (any ByteSource)? {
        let path = Array(member.utf8)
        if let count = wanted[path] { wanted[path] = count > 1 ? count - 1 : nil }
        var bytes = try spool.take(path, isLast: wanted[path] == nil)
        if bytes == nil { bytes = try self.bytes(of: path) }
        guard let bytes else { return nil }
        return try openFeed(bytes, named: "\(name)/\(member)")
    }

    private func bytes(of path: [UInt8]) throws(Failure) -> (any ByteSource)? {
        if let reader = passed.contains(path) ? nil : reader, try find(path, reader) { return bytes(reader) }
        while true {
            // It lies behind: or what was to be kept cannot be read, which is no matter of the file that is asked for.
            let mayKeep = spool.isOpen
            reader = nil
            passed = []
            let reader = try ArchiveReader(begin(), .zipOrTar)
            if try find(path, reader) { return bytes(reader) }
            if mayKeep == spool.isOpen { return nil }
        }
    }

    private func bytes(_ reader: ArchiveReader) -> MemberBytes {
        self.reader = nil
        return MemberBytes(reader) { [self] reader in
            if !wanted.isEmpty { self.reader = reader }
        }
    }

    /// Goes on to a file; false: it does not lie ahead, or what does could not be kept.
    private func find(_ path: [UInt8], _ reader: ArchiveReader) throws(Failure) -> Bool {
        while let next = try reader.nextFile() {
            if wanted[next] != nil { passed.insert(next) }
            if next == path { return true }
            guard wanted[next] != nil, mustBeKept(reader), spool.hasRoom(for: next, reader.fileSize) else { continue }
            guard try spool.keep(next, reader, checkCancelled) else { return false }
        }
        return false
    }

    /// Whether it costs less to keep the file that is passed by than to come to it again.
    private func mustBeKept(_ reader: ArchiveReader) -> Bool {
        reader.isCompressed || (reader.fileSize ?? 0) <= ArchivePass.longestRead
    }

    /// Bytes over which no seek leads, since it costs as much as to read them.
    private static let longestRead = 1 << 17
}
