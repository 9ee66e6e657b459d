import Glibc
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords

/// Objects of a service that speaks S3. Files grow in a temporary folder of this machine, and are sent when the run
/// knows that it has all of them.
///
/// A note among the objects says to which run they belong until a ledger does: the note has a mark, which the objects
/// have, too.
final class ArchiveObjects: ArchivePlace {
    private let objects: ObjectFolder
    private let folder: TemporaryFolder
    private let mark = ObjectFolder.newMark()
    private var isOpen = false
    /// The notes that were there when the run began.
    private let notes: [String]

    private static let notePrefix = ".sluice-work-"
    /// Bytes of a note, at the most.
    private static let longestNote = 1 << 12

    /// - Throws: where there is no such bucket, before anything is read.
    init(_ location: String, isStopped: @escaping @Sendable () -> Bool) throws(Failure) {
        objects = try ObjectFolder(location, FetchSession(.sluice, isStopped: isStopped))
        notes = try objects.entries(ArchiveObjects.notePrefix).map(\.name)
        folder = try TemporaryFolder()
    }

    var location: String { objects.location }

    func path(_ source: Int, _ file: Int) -> String { "\(folder.path)/\(source)-\(file).zst" }

    func open(owner: String, beginning: String) throws(Failure) {
        let note = try [SHA256.digest(of: owner), mark, beginning].joined(separator: "\n") + "\n"
        try objects.write(Array(note.utf8), to: ArchiveObjects.notePrefix + mark)
        isOpen = true
    }

    func name(_ source: Int, _ file: Int, _ name: String, replaces: Bool) throws(Failure) -> Bool {
        let descriptor = unsafe Glibc.open(path(source, file), O_RDONLY | O_CLOEXEC)
        var status = stat()
        defer { if descriptor >= 0 { Glibc.close(descriptor) } }
        guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else {
            throw FeedArchive.failure("the feed that is to be saved as \(objects.location(of: name)) cannot be read")
        }
        return try objects.write(
            file: descriptor, size: UInt64(status.st_size), to: name, if: replaces ? .none : .absent, mark: mark)
    }

    func finish() {}

    func withdraw(_ names: [String]) {
        if names.isEmpty, !isOpen { return }
        guard let others = try? ObjectFolder(location, FetchSession(.sluice)) else { return }
        for name in names { try? others.remove(name) }
        if isOpen { try? others.remove(ArchiveObjects.notePrefix + mark) }
        isOpen = false
    }

    func remove(beginning: String, where isRemoved: (String) -> Bool) throws(Failure) {
        for object in try objects.entries(beginning) where isRemoved(object.name) { try objects.remove(object.name) }
    }

    func close() {
        if isOpen { try? objects.remove(ArchiveObjects.notePrefix + mark) }
        isOpen = false
    }

    func discard() { folder.discard() }

    func removeLeftovers(owner: String, keeps: (String) -> Bool) throws(Failure) {
        let own = try SHA256.digest(of: owner)
        for name in notes {
            guard let note = try objects.bytes(name, most: ArchiveObjects.longestNote)?.bytes else { continue }
            let lines = String(decoding: note, as: UTF8.self).split(separator: "\n").map(String.init)
            guard lines.count == 3, lines[0] == own else { continue }
            let (mark, beginning) = (lines[1], lines[2])
            try objects.abortUploads(beginning) { _ in true }
            for object in try objects.entries(beginning) where !keeps(object.name) {
                if try objects.mark(of: object.name)?.isIdentical(to: mark) == true { try objects.remove(object.name) }
            }
            try objects.remove(name)
        }
    }
}
