import SluicePosix
import SluiceRecords
import Synchronization

/// What an archive holds, of which several sources read: it is looked through once for all of them.
package final class ArchiveLists: Sendable {
    private struct List {
        var archive: String
        var state: FileState
        var files: ArchiveFiles
    }

    private let last = Mutex<List?>(nil)
    /// Longer lists are not kept.
    private static let mostPaths = 100_000

    package init() {}

    /// What an archive holds.
    ///
    /// - Throws: `data` where two files have one path.
    func files(of archive: String) throws(Failure) -> ArchiveFiles {
        let state = FileState(following: archive)
        let known = last.withLock { last in last?.archive.isIdentical(to: archive) == true ? last : nil }
        if let known, known.state == state { return known.files }
        let file = try FileBytes(archive)
        let files = try ArchiveFiles(file)
        if let state, file.state == state, files.paths.count + files.links.count <= ArchiveLists.mostPaths {
            last.withLock { $0 = List(archive: archive, state: state, files: files) }
        }
        return files
    }
}
