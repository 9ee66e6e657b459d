import SluicePosix
import SluiceRecords

/// Where saved feeds get their names, once a run knows that it has all of them: a folder, or one of objects.
///
/// Until the ledger knows of the files they belong to no run: a later run of the same owner removes what a run that
/// died has left.
protocol ArchivePlace: AnyObject {
    /// As the ledger has it.
    var location: String { get }

    /// The path of a file that is to be created, and grows until it gets its name; to be asked once.
    func path(_ source: Int, _ file: Int) -> String

    /// Notes the owner of the files, before the first gets a name.
    ///
    /// - Parameter beginning: what all of their names begin with.
    func open(owner: String, beginning: String) throws(Failure)

    /// Gives a file its name; false: another file has it, and does not lose it.
    func name(_ source: Int, _ file: Int, _ name: String, replaces: Bool) throws(Failure) -> Bool

    /// Sees to it that all names are there for good.
    func finish() throws(Failure)

    /// Takes names away again.
    func withdraw(_ names: [String])

    /// Removes files with names that begin in some way.
    func remove(beginning: String, where isRemoved: (String) -> Bool) throws(Failure)

    /// Notes that a ledger knows of the files.
    func close()

    /// Removes files that have got no name, and will get none.
    func discard()

    /// Removes files that runs of an owner that died have left, unless they are to be kept: the last that a run does.
    func removeLeftovers(owner: String, keeps: (String) -> Bool) throws(Failure)
}

/// A folder of this machine.
final class ArchiveFolder: ArchivePlace {
    let location: String
    private let folder: WorkFolder

    /// - Parameter directory: its absolute path.
    init(_ directory: String) throws(Failure) {
        location = directory
        WorkFolder.removeLeftovers(in: directory)
        folder = try WorkFolder(in: directory)
    }

    func path(_ source: Int, _ file: Int) -> String { folder.path(source, file) }

    func open(owner: String, beginning: String) throws(Failure) {
        try folder.write(owner: owner)
        folder.isOpen = true
    }

    func name(_ source: Int, _ file: Int, _ name: String, replaces: Bool) throws(Failure) -> Bool {
        try folder.move(source, file, to: path(name), replaces: replaces)
    }

    func finish() throws(Failure) {
        guard FilePath.syncFolder(location) else {
            throw FeedArchive.failure("the archive \(location) cannot be written")
        }
    }

    func withdraw(_ names: [String]) {
        for name in names { folder.withdraw(path(name)) }
        folder.isOpen = false
    }

    func remove(beginning: String, where isRemoved: (String) -> Bool) {
        for name in FilePath.names(in: location) ?? [] where name.hasPrefix(beginning) && isRemoved(name) {
            folder.withdraw(path(name))
        }
    }

    func close() { folder.isOpen = false }

    func discard() {
        if !folder.isOpen { folder.discard() }
    }

    func removeLeftovers(owner: String, keeps: (String) -> Bool) {
        WorkFolder.removeLeftovers(in: location, owner: owner, keeps: keeps)
        // The thread that has read the feed may hold the folder for longer than the process lasts.
        folder.release()
    }

    private func path(_ name: String) -> String { location + "/" + name }
}
