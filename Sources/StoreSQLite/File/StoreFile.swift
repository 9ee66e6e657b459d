import Glibc
import SluicePosix
import SluiceRecords

/// The file of a store: an existing one, or one that is built beside its final name and takes it when it is whole; for
/// a dry run, a private file that is never kept.
@safe
final class StoreFile {
    /// The store's name, as the user gave it.
    let path: String
    /// The file to open: the store, or the one that is being built.
    let workingPath: String
    /// Whether the store was there when the run began.
    let exists: Bool
    /// Whether the store is built in a file beside its name.
    let isBuilt: Bool
    /// Whether the file to open is a private one, in place of the store.
    let isCopy: Bool
    /// The open file that is being built, locked; -1 where there is none.
    private var descriptor: Int32 = -1
    /// The device and inode of the file that the run writes to, once it is open.
    private var number: FileNumber?
    /// The files that SQLite keeps beside it, once they are there.
    private var logs: (logs: StoreLogs, numbers: [FileNumber?])?
    /// Whether it was found that the file has another name, or none.
    private(set) var isLost = false

    /// Throws `uncreatable` where a leftover `-wal` or `-journal` lies beside a missing store: SQLite would replay it
    /// into the new file. Throws `busy` where another run builds this store.
    init(_ path: String, buildsBeside: Bool) throws(Failure) {
        self.path = path
        isCopy = false
        exists = try StoreFile.existsAsFile(path)
        isBuilt = !exists && buildsBeside
        workingPath = isBuilt ? path + StoreFile.ending : path
        if isBuilt { descriptor = try BuildingFile(path, workingPath).take() } else if !exists { try create() }
        if exists { removeSecondName() }
    }

    /// Removes the name under which the store was built, where the run died before it had removed that name.
    private func removeSecondName() {
        let name = path + StoreFile.ending
        guard let store = FileNumber(following: path), FileNumber(named: name) == store else { return }
        _ = unsafe unlink(name)
    }

    private static let ending = ".sluice-new"

    /// A private file in place of a store. Throws as if the store itself were opened, or created.
    init(copyOf path: String, buildsBeside: Bool) throws(Failure) {
        self.path = path
        isCopy = true
        isBuilt = false
        exists = try StoreFile.existsAsFile(path)
        if !exists, buildsBeside { try BuildingFile(path, path + StoreFile.ending).refuseForeign() }
        if !exists, unsafe access(FilePath.folder(path), W_OK | X_OK) != 0 {
            throw Failure.unwritableStore(path, "created", errno: errno)
        }
        (descriptor, workingPath) = try TemporaryFile.create()
    }

    /// Removes the name of a copy once it is open: so nothing is left of the copy, however the process ends.
    func unlinkCopy() { if isCopy { _ = unsafe unlink(workingPath) } }

    deinit { closeBuilding() }

    /// Whether there is a store of that name; throws where there is only a leftover of one, or a name that leads
    /// nowhere.
    static func exists(_ path: String) throws(Failure) -> Bool {
        if isThere(path) { return true }
        // A missing folder is no failure here: creating the store reports it.
        if PathFault(errno: errno) != .missing {
            throw Failure.unwritableStore(path, "opened", errno: errno)
        }
        try refuseLeftovers(path)
        return false
    }

    /// The same; throws where a folder has the name.
    private static func existsAsFile(_ path: String) throws(Failure) -> Bool {
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw Failure(.uncreatable, "the store \(path) is a folder; the store is a file, as \(path)/store.sqlite")
        }
        return try exists(path)
    }

    static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// An empty log has nothing to replay: it stays behind where a user has deleted the store itself.
    private static func refuseLeftovers(_ path: String) throws(Failure) {
        for ending in ["-wal", "-journal"] where isThere(path + ending) && !StoreLogs.isEmpty(path + ending) {
            throw Failure(
                .uncreatable,
                "the store \(path) does not exist, but \(path + ending) does: SQLite would replay it into a new store; "
                    + "put the store back beside it, or remove it if it is not needed")
        }
    }

    /// Creates an empty store under its own name, with the permissions of a store that is built beside it; SQLite would
    /// let everyone read it.
    private func create() throws(Failure) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw createdMeanwhile }
            throw Failure.unwritableStore(path, "created", errno: errno)
        }
        close(descriptor)
    }

    private var createdMeanwhile: Failure {
        Failure(.busy, "the store \(path) was created by someone else during the run; run again")
    }

    // MARK: While it is open

    /// Remembers which file was opened, before anything is written to it.
    func noteOpened(_ connection: Connection) throws(Failure) {
        number = descriptor >= 0 ? FileNumber(descriptor: descriptor) : FileNumber(following: workingPath)
        guard number != nil else { throw unwritable(errno) }
        try checkPlace()
        // SQLite may have opened another file than the one that has the name now.
        if connection.hasMoved { throw lose() }
    }

    /// Gives the files that SQLite keeps beside the store its permissions, and remembers which they are.
    func noteLogs() {
        let logs = StoreLogs(path)
        var status = stat()
        if unsafe stat(path, &status) == 0 { logs.takePermissions(of: status) }
        self.logs = (logs, logs.numbers)
    }

    /// Throws where the name no longer leads to the file that the run writes to: what the run saves would be lost.
    func checkPlace() throws(Failure) {
        switch place {
        case .same: return
        case .other: throw lose()
        case .failed(let code): throw unwritable(code)
        }
    }

    /// Throws where the name has come to lead to another file while something was saved. A system that does not say
    /// where the name leads is no reason to doubt what is saved.
    func checkPlaceOfSaved() throws(Failure) {
        if place == .other { throw lose() }
    }

    /// Whether the names of the store, and of the files that SQLite keeps beside it, still lead to those that the run
    /// writes to.
    private var place: FileNaming {
        guard let number else { return .other }
        // Nothing that is built is a link.
        let isOwn = isBuilt || isCopy
        let naming = FileNaming(isOwn ? workingPath : path, number, followsLinks: !isOwn)
        guard naming == .same, let (logs, numbers) = logs else { return naming }
        return logs.naming(numbers)
    }

    private func unwritable(_ code: Int32) -> Failure {
        Failure(.io, "the store \(path) cannot be written", errno: code)
    }

    /// Notes that the store is lost, and says so.
    private func lose() -> Failure {
        isLost = true
        let which = isBuilt ? "the file \(workingPath), in which the store is built," : "the store \(path)"
        return Failure(
            .io,
            "\(which) was deleted, replaced or renamed during the run, and nothing is saved in what has its name; "
                + "run again")
    }

    // MARK: The end

    /// Gives the store that was built its name, without replacing anything, once its bytes are on the disk.
    func finishBuilding() throws(Failure) {
        try checkPlace()
        guard fsync(descriptor) == 0 else { throw unwritable(errno) }
        // SQLite reports no error where it could not empty the log when it closed the file.
        guard !StoreLogs(workingPath).hasEntries else {
            throw Failure(.io, "the store \(path) cannot be written: what was built is not in its file")
        }
        try StoreFile.refuseLeftovers(path)
        let logs = StoreLogs(path)
        let before = logs.numbers
        logs.create()
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0 { logs.takePermissions(of: status) }
        // Unlike a rename, a link never replaces what has come into being under that name meanwhile.
        guard unsafe link(workingPath, path) == 0 else {
            let code = errno
            logs.remove(zip(logs.numbers, before).map { $1 == nil ? $0 : nil })
            errno = code
            throw errno == EEXIST
                ? createdMeanwhile : .unwritableStore(path, "created", errno: errno)
        }
        _ = unsafe unlink(workingPath)
        do throws(Failure) {
            try checkName()
            try syncFolder()
        } catch {
            // The run reports no new store, so none may stay under the name.
            if !isLost { _ = unsafe unlink(path) }
            logs.remove(zip(logs.numbers, before).map { $1 == nil ? $0 : nil })
            throw error
        }
        closeBuilding()
    }

    /// Throws where the name that the store has got leads to another file.
    private func checkName() throws(Failure) {
        switch FileNaming(path, descriptor, followsLinks: false) {
        case .same: return
        case .other: throw lose()
        case .failed(let code): throw unwritable(code)
        }
    }

    /// Removes what was built, or the new store into which no batch was saved.
    func abandon() {
        guard isCopy || !exists else { return }
        if isBuilt, let number, FileNumber(named: workingPath) != number {
            closeBuilding()
            return
        }
        // A log that could not be emptied on a full disk must not stay without its store: the next run would refuse it.
        // SQLite itself removes a log beside an empty store, so it does no harm if the process dies in between.
        if descriptor >= 0 { _ = ftruncate(descriptor, 0) } else { _ = unsafe truncate(workingPath, 0) }
        for ending in ["-wal", "-shm", "-journal"] { _ = unsafe unlink(workingPath + ending) }
        _ = unsafe unlink(workingPath)
        closeBuilding()
    }

    /// Removes what SQLite keeps beside a store that has been lost.
    func removeLogs() {
        if let (logs, numbers) = logs { logs.remove(numbers) }
    }

    private func closeBuilding() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// A new name is durable once its folder is on the disk.
    private func syncFolder() throws(Failure) {
        let folder = FilePath.folder(path)
        guard FilePath.syncFolder(folder) else {
            throw Failure(.io, "the folder \(folder) cannot be written", errno: errno)
        }
    }
}
