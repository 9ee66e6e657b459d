import SluiceExtract
import SluicePosix
import SluiceRecords
import Synchronization

/// The archives in buckets and on other machines, of which several sources may read: each is fetched once for all of
/// them, to a temporary file, which goes with the last of them.
final class DistantArchives: Sendable {
    private struct Copy {
        var archive: ArchiveCopy
        var bytes: Int
        /// How many files of it are still to be read.
        var uses: Int
    }

    /// By archive: the files in it that are read, each as often as it is.
    private let members: [ExactText: [String]]
    private let copies = Mutex<[ExactText: Copy]>([:])

    /// The most bytes of all copies that are kept for another source; an archive without room is fetched again.
    private static let mostBytes = 8 << 30

    init(_ inputs: [FeedInput]) {
        var members: [ExactText: [String]] = [:]
        for input in inputs {
            guard let member = input.member, input.isDistant else { continue }
            for index in input.files.indices { members[DistantArchives.key(input, index), default: []].append(member) }
        }
        self.members = members
    }

    /// What tells an archive from others.
    private static func key(_ input: FeedInput, _ index: Int) -> ExactText {
        if let objects = input.objects { return ExactText("\(objects[index].etag) \(objects[index].name)") }
        guard let remote = input.remote else { return ExactText(input.files[index]) }
        return ExactText(remote.place.name(of: remote.paths[index]))
    }

    /// What an archive is called.
    private static func name(_ input: FeedInput, _ index: Int) -> String {
        let name = input.files[index]
        let ending = (input.member?.utf8.count ?? -1) + 1
        return String(decoding: name.utf8.dropLast(ending), as: UTF8.self)
    }

    /// Whether an archive is here.
    func holds(_ input: FeedInput, _ index: Int) -> Bool {
        let key = DistantArchives.key(input, index)
        return input.member != nil && copies.withLock { $0[key] } != nil
    }

    /// The bytes of a file in an archive, decompressed; nil: it holds none of that name.
    func feed(
        _ member: String, of input: FeedInput, _ index: Int, fetch: () throws(Failure) -> TemporaryFile
    ) throws(Failure) -> (any ByteSource)? {
        let key = DistantArchives.key(input, index)
        let copy: Copy
        if let known = copies.withLock({ $0[key] }) {
            copy = known
        } else {
            let file = try fetch()
            let wanted = members[key] ?? []
            copy = Copy(
                archive: ArchiveCopy(file, named: DistantArchives.name(input, index), wanted: wanted),
                bytes: file.size, uses: wanted.count)
        }
        keep(copy, key)
        return try copy.archive.feed(member)
    }

    /// Keeps a copy of which a file is read now, if there are more.
    private func keep(_ copy: Copy, _ key: ExactText) {
        copies.withLock { copies in
            copies[key] = nil
            let bytes = copies.values.reduce(copy.bytes) { $0 + $1.bytes }
            guard copy.uses > 1, bytes <= DistantArchives.mostBytes else { return }
            copies[key] = Copy(archive: copy.archive, bytes: copy.bytes, uses: copy.uses - 1)
        }
    }
}
