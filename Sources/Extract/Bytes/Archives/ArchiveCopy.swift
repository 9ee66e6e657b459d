import Glibc
import SluicePosix
import SluiceRecords

/// An archive that was downloaded, to a temporary file: for all that is read of it. One thread has it, the one that
/// reads feeds: for one source after the other.
package final class ArchiveCopy: @unchecked Sendable {
    private let file: TemporaryFile
    private let name: String
    private let pass: ArchivePass
    /// The files that are to be read, and are there; nil: nobody has looked yet.
    private var held: Set<[UInt8]>?
    private let wanted: Set<[UInt8]>

    /// - Parameters:
    ///   - name: of what it is a copy.
    ///   - wanted: the paths of the files that are to be read, each as often as it is.
    package init(_ file: TemporaryFile, named name: String, wanted: [String]) {
        self.file = file
        self.name = name
        self.wanted = Set(wanted.map { Array($0.utf8) })
        pass = ArchivePass(name, wanted: wanted) { () throws(Failure) in try file.reader(named: name) }
    }

    /// The bytes of one of its files; decompressed, where it is compressed itself. nil: the archive does not hold it.
    /// They must be read before the next one is asked for.
    package func feed(_ member: String) throws(Failure) -> (any ByteSource)? {
        guard try holds(Array(member.utf8)) else { return nil }
        return try pass.feed(member)
    }

    /// Two of one name are found out before one is read.
    private func holds(_ path: [UInt8]) throws(Failure) -> Bool {
        if let held, wanted.contains(path) { return held.contains(path) }
        let files = try ArchiveFiles(file.reader(named: name))
        if let link = files.links.first(where: { $0 == path || wanted.contains($0) }) {
            throw ArchiveFiles.linkFailure(link, in: name)
        }
        held = wanted.intersection(files.paths)
        return files.paths.contains(path)
    }
}

/// The bytes of a file that an archive holds, which a temporary file has; decompressed, where it is compressed itself.
/// nil: the archive does not hold it.
package func openMember(
    _ member: String, of file: TemporaryFile, named name: String
) throws(Failure) -> (any ByteSource)? {
    try ArchiveCopy(file, named: name, wanted: []).feed(member)
}
