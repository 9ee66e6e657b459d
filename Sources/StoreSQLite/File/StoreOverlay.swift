import CSluiceSQLite
import Glibc
import SluicePosix
import SluiceRecords

/// The database that a dry run works on: the pages of a store as they are at one moment, and, in a temporary file,
/// those that the run writes. So a dry run needs disk space for what it changes, not for the store.
///
/// It is a layer of SQLite's own kind (a VFS): a database whose pages are those of a temporary file where they were
/// written, else those of the store. A transaction that reads the store keeps the pages as they are: in WAL mode, and
/// with an empty log, a reader of the database file alone keeps all programs from moving pages of the log into it,
/// while writers go on in the log. So where the log holds something, or in other modes, there is no overlay, and the
/// store is copied.
@safe
final class StoreOverlay {
    /// SQLITE_IOERR_SHORT_READ: Swift does not see macros that calculate.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    /// As SQLite knows the layer.
    let name: String
    private let reader: StoreReader
    private let vfs: UnsafeMutablePointer<sluice_overlay_vfs>
    /// The store's own file, of the connection of `reader`.
    private let base: UnsafeMutablePointer<sqlite3_file>
    private let pageSize: Int64
    /// Bytes that are still the store's, from its beginning.
    private var baseSize: Int64
    /// Bytes in all.
    private var size: Int64
    /// A bit per page that was written.
    private var written: [UInt64]

    /// Nil where the store has to be copied.
    init?(_ path: String, patience: Int32) throws(Failure) {
        reader = try StoreReader(path, patience: patience)
        guard reader.isLocked else { return nil }
        var state: (file: UnsafeMutablePointer<sqlite3_file>, pageSize: Int64, size: Int64)?
        try reader.read { connection throws(Failure) in
            try connection.execute("BEGIN")
            guard try connection.text("PRAGMA journal_mode") == "wal",
                try connection.integer("SELECT count(*) FROM sqlite_schema") != nil, !StoreLogs(path).hasEntries,
                let pageSize = try connection.integer("PRAGMA page_size"), let file = unsafe connection.mainFile
            else { return }
            var size: Int64 = 0
            guard unsafe file.pointee.pMethods.pointee.xFileSize(file, &size) == SQLITE_OK, size >= pageSize else {
                return
            }
            unsafe state = (file, pageSize, size)
        }
        guard let state = unsafe state, let usual = unsafe sqlite3_vfs_find(nil) else { return nil }
        unsafe base = state.file
        pageSize = unsafe state.pageSize
        baseSize = unsafe state.size
        size = baseSize
        written = Array(repeating: 0, count: Int(baseSize / pageSize / 64 + 1))
        unsafe vfs = .allocate(capacity: 1)
        unsafe name = "sluice-overlay-\(Int(bitPattern: vfs))"
        unsafe vfs.initialize(to: sluice_overlay_vfs())
        unsafe vfs.pointee.base = usual.pointee
        unsafe vfs.pointee.base.pNext = nil
        unsafe vfs.pointee.base.zName = UnsafePointer(strdup(name))
        unsafe vfs.pointee.base.szOsFile = Int32(MemoryLayout<sluice_overlay_file>.size) + usual.pointee.szOsFile
        unsafe vfs.pointee.base.xOpen = { unsafe OverlayFile.open($0, $1, $2, $3, $4) }
        unsafe vfs.pointee.usual = usual
        unsafe vfs.pointee.state = Unmanaged.passUnretained(self).toOpaque()
        guard unsafe sqlite3_vfs_register(&vfs.pointee.base, 0) == SQLITE_OK else {
            throw Failure(.defect, "SQLite takes no layer over the store \(path)")
        }
    }

    deinit {
        reader.close()
        unsafe sqlite3_vfs_unregister(&vfs.pointee.base)
        unsafe free(UnsafeMutablePointer(mutating: vfs.pointee.base.zName))
        unsafe vfs.deallocate()
    }

    // MARK: Pages

    private func isWritten(_ page: Int64) -> Bool {
        let word = Int(page >> 6)
        return word < written.count && written[word] >> UInt64(page & 63) & 1 == 1
    }

    private func noteWritten(_ page: Int64) {
        let word = Int(page >> 6)
        if word >= written.count { written += Array(repeating: 0, count: max(word + 1 - written.count, written.count)) }
        written[word] |= 1 << UInt64(page & 63)
    }

    /// Goes through bytes page by page, until `body` returns an error: `body` gets the place of a piece in the
    /// database, its length, and its offset among the bytes.
    private func forEachPiece(
        _ count: Int64, _ offset: Int64, _ body: (_ place: Int64, _ length: Int64, _ start: Int) -> Int32
    ) -> Int32 {
        var place = offset
        while place < offset + count {
            let length = min(offset + count, (place / pageSize + 1) * pageSize) - place
            let code = body(place, length, Int(place - offset))
            if code != SQLITE_OK, code != StoreOverlay.shortRead { return code }
            place += length
        }
        return SQLITE_OK
    }

    /// Reads bytes; the pages that were written come from the temporary file, by `own`. Bytes behind the end are zero.
    func read(
        _ buffer: UnsafeMutableRawPointer, _ count: Int64, _ offset: Int64, own: UnsafeMutablePointer<sqlite3_file>
    ) -> Int32 {
        let code = forEachPiece(count, offset) { place, length, start in
            let target = unsafe buffer + start
            if isWritten(place / pageSize) {
                return unsafe own.pointee.pMethods.pointee.xRead(own, target, Int32(length), place)
            }
            guard place < baseSize else {
                unsafe target.initializeMemory(as: UInt8.self, repeating: 0, count: Int(length))
                return SQLITE_OK
            }
            defer { unsafe leaveWAL(target, place, length) }
            return unsafe base.pointee.pMethods.pointee.xRead(base, target, Int32(length), place)
        }
        return code == SQLITE_OK && offset + count > size ? StoreOverlay.shortRead : code
    }

    /// Makes the header say that the database is in no WAL mode: nobody but the run uses it.
    private func leaveWAL(_ bytes: UnsafeMutableRawPointer, _ place: Int64, _ length: Int64) {
        for version in [18, 19] as [Int64] where place <= version && version < place + length {
            unsafe bytes.storeBytes(of: 1, toByteOffset: Int(version - place), as: UInt8.self)
        }
    }

    /// Writes bytes to the temporary file.
    func write(
        _ buffer: UnsafeRawPointer, _ count: Int64, _ offset: Int64, own: UnsafeMutablePointer<sqlite3_file>
    ) -> Int32 {
        let code = forEachPiece(count, offset) { place, length, start in
            let page = place / pageSize
            if length < pageSize, !isWritten(page), page * pageSize < baseSize {
                let code = unsafe copy(page, own)
                if code != SQLITE_OK { return code }
            }
            let code = unsafe own.pointee.pMethods.pointee.xWrite(own, buffer + start, Int32(length), place)
            if code == SQLITE_OK { noteWritten(page) }
            return code
        }
        if code == SQLITE_OK { size = max(size, offset + count) }
        return code
    }

    /// SQLite writes whole pages; another version may not.
    private func copy(_ page: Int64, _ own: UnsafeMutablePointer<sqlite3_file>) -> Int32 {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: Int(pageSize), alignment: 8)
        defer { unsafe bytes.deallocate() }
        let code = unsafe read(bytes, pageSize, page * pageSize, own: own)
        if code != SQLITE_OK, code != StoreOverlay.shortRead { return code }
        return unsafe own.pointee.pMethods.pointee.xWrite(own, bytes, Int32(pageSize), page * pageSize)
    }

    func truncate(_ newSize: Int64, own: UnsafeMutablePointer<sqlite3_file>) -> Int32 {
        // Nothing of the store comes back when the database grows again.
        baseSize = min(baseSize, newSize)
        size = newSize
        let first = (newSize + pageSize - 1) / pageSize
        for page in first..<max(first, Int64(written.count) * 64) where isWritten(page) {
            written[Int(page >> 6)] &= ~(1 << UInt64(page & 63))
        }
        return SQLITE_OK
    }

    var byteCount: Int64 { size }
}

/// The file of an overlay, as SQLite calls it: what is read and written goes to the overlay, the rest to the temporary
/// file, which stands behind it.
@safe
private enum OverlayFile {
    typealias File = UnsafeMutablePointer<sqlite3_file>

    /// The calls that concern the database; they are never changed.
    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
        var calls = sqlite3_io_methods()
        calls.iVersion = 1
        unsafe calls.xClose = { unsafe OverlayFile.close($0) }
        unsafe calls.xRead = { file, buffer, count, offset in
            guard let file = unsafe file, let buffer = unsafe buffer else { return SQLITE_IOERR }
            return unsafe overlay(file).read(buffer, Int64(count), offset, own: temporaryFile(file))
        }
        unsafe calls.xWrite = { file, buffer, count, offset in
            guard let file = unsafe file, let buffer = unsafe buffer else { return SQLITE_IOERR }
            return unsafe overlay(file).write(buffer, Int64(count), offset, own: temporaryFile(file))
        }
        unsafe calls.xTruncate = { file, size in
            guard let file = unsafe file else { return SQLITE_IOERR }
            return unsafe overlay(file).truncate(size, own: temporaryFile(file))
        }
        unsafe calls.xFileSize = { file, size in
            guard let file = unsafe file else { return SQLITE_IOERR }
            unsafe size?.pointee = overlay(file).byteCount
            return SQLITE_OK
        }
        // The file is temporary, and no other process opens it.
        unsafe calls.xSync = { _, _ in SQLITE_OK }
        unsafe calls.xLock = { _, _ in SQLITE_OK }
        unsafe calls.xUnlock = { _, _ in SQLITE_OK }
        unsafe calls.xCheckReservedLock = { _, isReserved in
            unsafe isReserved?.pointee = 0
            return SQLITE_OK
        }
        unsafe calls.xFileControl = { file, operation, argument in
            guard let file = unsafe file, operation == SQLITE_FCNTL_HAS_MOVED else { return SQLITE_NOTFOUND }
            return unsafe temporaryFile(file).pointee.pMethods.pointee.xFileControl(
                temporaryFile(file), operation, argument)
        }
        unsafe calls.xSectorSize = { _ in 4096 }
        unsafe calls.xDeviceCharacteristics = { _ in 0 }
        let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe pointer.initialize(to: calls)
        return unsafe UnsafePointer(pointer)
    }()

    private static func header(_ file: File) -> UnsafeMutablePointer<sluice_overlay_file> {
        unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: sluice_overlay_file.self)
    }

    private static func overlay(_ file: File) -> StoreOverlay {
        unsafe Unmanaged<StoreOverlay>.fromOpaque(header(file).pointee.state).takeUnretainedValue()
    }

    /// The temporary file.
    private static func temporaryFile(_ file: File) -> File {
        unsafe (UnsafeMutableRawPointer(file) + MemoryLayout<sluice_overlay_file>.size)
            .assumingMemoryBound(to: sqlite3_file.self)
    }

    static func open(
        _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ name: sqlite3_filename?, _ file: File?, _ flags: Int32,
        _ given: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let vfs = unsafe vfs, let file = unsafe file else { return SQLITE_CANTOPEN }
        let layer = unsafe UnsafeMutableRawPointer(vfs).assumingMemoryBound(to: sluice_overlay_vfs.self)
        let usual = unsafe layer.pointee.usual
        // Other files, such as those in which SQLite sorts, are opened as usual.
        if flags & SQLITE_OPEN_MAIN_DB == 0 { return unsafe usual!.pointee.xOpen(usual, name, file, flags, given) }
        unsafe file.pointee.pMethods = nil
        let code = unsafe usual!.pointee.xOpen(usual, name, temporaryFile(file), flags, given)
        if code != SQLITE_OK { return code }
        unsafe header(file).pointee.state = layer.pointee.state
        // The file keeps its overlay: a connection may be closed after all else.
        _ = unsafe Unmanaged<StoreOverlay>.fromOpaque(layer.pointee.state).retain()
        unsafe file.pointee.pMethods = methods
        return SQLITE_OK
    }

    private static func close(_ file: File?) -> Int32 {
        guard let file = unsafe file else { return SQLITE_OK }
        let code = unsafe temporaryFile(file).pointee.pMethods.pointee.xClose(temporaryFile(file))
        unsafe Unmanaged<StoreOverlay>.fromOpaque(header(file).pointee.state).release()
        return code
    }
}

extension Connection {
    /// The file of its database.
    fileprivate var mainFile: UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe withUnsafeMutablePointer(to: &file) { pointer in
            unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, pointer)
        }
        return unsafe code == SQLITE_OK ? file : nil
    }
}
