import Glibc
import Records

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
    /// Whether it is built beside its name.
    let isBuilt: Bool
    /// Whether the file to open is a private one, in place of the store.
    let isCopy: Bool
    private var lock: Int32 = -1

    /// Throws `uncreatable` where a leftover `-wal` or `-journal` lies beside a missing store: SQLite would replay it
    /// into the new file. Throws `busy` where another run builds this store.
    init(_ path: String, buildsBeside: Bool) throws(Failure) {
        self.path = path
        isCopy = false
        exists = try StoreFile.exists(path)
        isBuilt = !exists && buildsBeside
        workingPath = isBuilt ? path + ".sluice-new" : path
        if isBuilt { try startBuilding() } else if !exists { try create() }
    }

    /// A private file in place of a store. Throws as if the store itself were opened, or created.
    init(copyOf path: String) throws(Failure) {
        self.path = path
        isCopy = true
        isBuilt = false
        exists = try StoreFile.exists(path)
        if !exists, unsafe access(StoreFile.folder(of: path), W_OK | X_OK) != 0 {
            throw ioFailure("the store \(path) cannot be created", .uncreatable)
        }
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
        var template = Array("\(folder)/sluice-XXXXXX".utf8CString)
        lock = unsafe mkstemp(&template)
        workingPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard lock >= 0 else { throw ioFailure("a temporary file in \(folder) cannot be created", .uncreatable) }
    }

    /// Takes the name of a copy away, once it is open: however the process ends, nothing is left of it.
    func unlinkCopy() { if isCopy { _ = unsafe unlink(workingPath) } }

    deinit {
        if lock >= 0 { close(lock) }
    }

    /// Whether there is a store of that name; throws where there is only a leftover of one.
    static func exists(_ path: String) throws(Failure) -> Bool {
        if isThere(path) { return true }
        try refuseLeftovers(path)
        return false
    }

    static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    static func refuseLeftovers(_ path: String) throws(Failure) {
        for ending in ["-wal", "-journal"] where isThere(path + ending) {
            throw Failure(
                .uncreatable,
                "the store \(path) does not exist, but \(path + ending) does: SQLite would replay it into a new store; "
                    + "put the store back beside it, or remove it if it is not needed")
        }
    }

    /// Takes the building place: the file is locked as long as this run lives, so what is left of a run that died is
    /// used again, and two runs cannot build one store.
    private func startBuilding() throws(Failure) {
        unlinkOtherName()
        lock = unsafe open(workingPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard lock >= 0 else { throw ioFailure("the store \(path) cannot be created", .uncreatable) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(.busy, "another run is building the store \(path); try again later")
        }
        guard ftruncate(lock, 0) == 0 else { throw ioFailure("the store \(path) cannot be created", .uncreatable) }
    }

    /// An empty store under its own name, with the permissions that one which is built has; SQLite would let everyone
    /// read it.
    private func create() throws(Failure) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw ioFailure("the store \(path) cannot be created", .uncreatable) }
        close(descriptor)
    }

    /// A run that died between the two steps of `finishBuilding` left a second name of a finished store, wherever that
    /// store may be by now: the name must go, and the store stay as it is.
    private func unlinkOtherName() {
        var status = stat()
        if unsafe stat(workingPath, &status) == 0, status.st_nlink > 1 { _ = unsafe unlink(workingPath) }
    }

    /// Gives the store that was built its name, without replacing anything, once its bytes are on the disk.
    func finishBuilding() throws(Failure) {
        guard fsync(lock) == 0 else { throw ioFailure("the store \(path) cannot be written", .io) }
        try StoreFile.refuseLeftovers(path)
        // Unlike a rename, a link never replaces what has come into being under that name meanwhile.
        guard unsafe link(workingPath, path) == 0 else {
            if errno == EEXIST {
                throw Failure(.busy, "the store \(path) was created by someone else during the run; run again")
            }
            throw ioFailure("the store \(path) cannot be created", .uncreatable)
        }
        _ = unsafe unlink(workingPath)
        try syncFolder()
        close(lock)
        lock = -1
    }

    /// Removes what was built, or the new store into which no batch was saved.
    func abandon() {
        guard isCopy || !exists else { return }
        // A log that could not be emptied on a full disk must not stay without its store: the next run would refuse it.
        // SQLite removes one beside an empty store by itself, so dying in between does no harm, either.
        _ = unsafe truncate(workingPath, 0)
        for ending in ["-wal", "-shm", "-journal"] { _ = unsafe unlink(workingPath + ending) }
        _ = unsafe unlink(workingPath)
        if lock >= 0 { close(lock) }
        lock = -1
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// A new name is durable once its folder is on the disk.
    private func syncFolder() throws(Failure) {
        let folder = StoreFile.folder(of: path)
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ioFailure("the folder \(folder) cannot be written", .io) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw ioFailure("the folder \(folder) cannot be written", .io) }
    }
}
