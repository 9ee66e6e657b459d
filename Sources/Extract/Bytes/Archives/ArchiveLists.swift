import SluicePosix
import SluiceRecords
import Synchronization

/// What an archive holds, of which several sources read: it is looked through once for all of them.
package final class ArchiveLists: Sendable {
    private struct List {
        var archive: String
        var state: FileState
        var paths: [[UInt8]]
    }

    private let last = Mutex<List?>(nil)
    /// Longer lists are not kept.
    private static let mostPaths = 100_000

    package init() {}

    /// The paths of all files that an archive holds, in the order of their bytes.
    ///
    /// - Throws: `data` where two have one path.
    func paths(of archive: String) throws(Failure) -> [[UInt8]] {
        let state = FileState(following: archive)
        let known = last.withLock { last in last?.archive.isIdentical(to: archive) == true ? last : nil }
        if let known, known.state == state { return known.paths }
        let file = try FileBytes(archive)
        let paths = try MemberBytes.paths(of: file)
        if let state, file.state == state, paths.count <= ArchiveLists.mostPaths {
            last.withLock { $0 = List(archive: archive, state: state, paths: paths) }
        }
        return paths
    }
}
