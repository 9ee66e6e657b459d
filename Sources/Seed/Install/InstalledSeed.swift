import CSluiceSQLite
import Glibc
import SluicePosix
import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// What stands under the name that a seed is to get.
enum InstalledSeed {
    case absent
    case seed(SeedRow, Condition)
    /// A seed once, which cannot be read any more.
    case damaged
    /// Something else; what it is.
    case other(String)

    struct Condition {
        /// Whether it was installed to be written to.
        var isWritable = false
        /// Whether it is as it was installed, to the byte: so a delta may be applied to its copy.
        var isIntact = false
        /// Whether runs or programs have brought what no seed has: runs of its own, other tables, views, triggers.
        var hasOwn = false
    }

    /// Looks, and changes nothing.
    static func look(at path: String) throws(Failure) -> InstalledSeed {
        guard let isRegular = try ReadFile.isRegular(path) else { return .absent }
        guard isRegular else { return .other("is no regular file") }
        let file: ReadFile
        do throws(Failure) {
            file = try ReadFile(path)
        } catch {
            if error.kind == .missing { return .absent }
            throw error
        }
        // A program that opens a store too early makes an empty one.
        guard file.size > 0 else { return .absent }
        let header = try StoreHeader(file)
        guard header.isDatabase else { return .other("is no SQLite database") }
        let isSeed = Int64(header.application) == SeedMark.application
        do throws(Failure) {
            return try read(path, header, isSeed)
        } catch {
            if error.kind == .busy { throw error }
            return isSeed ? .damaged : .other("cannot be read: \(error.message)")
        }
    }

    private static func read(_ path: String, _ header: StoreHeader, _ isSeed: Bool) throws(Failure) -> InstalledSeed {
        // A log beside a store that keeps none belongs to another file.
        let traces = ["-wal", "-journal"].contains { StoreTraces.size(path + $0) > 0 }
        if traces, !header.isWAL { return isSeed ? .damaged : .other("has a log beside it that is not its own") }
        let reader = try StoreReader(path, patience: 1000)
        defer { reader.close() }
        return try reader.read { connection throws(Failure) in
            guard let row = try SeedRow.read(connection), row.isSound else {
                return isSeed ? .damaged : .other("is no seed")
            }
            var condition = Condition()
            condition.isWritable = !isSeed
            condition.isIntact = isSeed && !header.isWAL && !traces
            condition.hasOwn = try hasOwn(connection)
            return .seed(row, condition)
        }
    }

    /// Whether programs have written to a store that was installed to be written to, by what its tables hold. What
    /// cannot be read may be theirs, too.
    static func isChanged(_ path: String, _ row: SeedRow, _ stop: Stop) throws(Failure) -> Bool {
        do throws(Failure) {
            let reader = try StoreReader(path, patience: 1000)
            defer { reader.close() }
            return try reader.read { connection throws(Failure) in
                stop.attach(to: connection)
                return try ContentHash.digest(of: connection, stop) != row.content
            }
        } catch {
            if [.busy, .cancelled].contains(error.kind) { throw error }
            return true
        }
    }

    private static func hasOwn(_ connection: Connection) throws(Failure) -> Bool {
        let tables = try connection.texts("SELECT lower(name) FROM sqlite_schema WHERE type = 'table'")
        if tables.contains("sluice_run"), try connection.integer("SELECT EXISTS (SELECT 1 FROM sluice_run)") != 0 {
            return true
        }
        let actors = """
            SELECT EXISTS (
              SELECT 1 FROM sqlite_schema
              WHERE type = 'view' OR type = 'trigger' AND name NOT LIKE 'sluice\\_%' ESCAPE '\\')
            """
        if try connection.integer(actors) != 0 { return true }
        let published = try Set(StoredEntity.all(connection).flatMap(\.tables).map { ExactText($0.asciiLowercase) })
        return tables.contains { table in
            !table.hasPrefix("sluice_") && !table.hasPrefix("sqlite_") && !published.contains(ExactText(table))
        }
    }
}

/// What the first bytes of a database say (<https://sqlite.org/fileformat2.html>).
struct StoreHeader {
    private(set) var isDatabase = false
    private(set) var isWAL = false
    private(set) var application: UInt32 = 0

    init(_ file: ReadFile) throws(Failure) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 16)
        defer { unsafe bytes.deallocate() }
        guard try unsafe file.read(into: bytes, at: 0) == 100 else { return }
        isDatabase = unsafe bytes[..<16].elementsEqual(Array("SQLite format 3".utf8) + [0])
        isWAL = unsafe bytes[18] == 2 || bytes[19] == 2
        application = unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 68, as: UInt32.self))
    }
}

/// The files that SQLite keeps beside a store.
enum StoreTraces {
    static let endings = ["-wal", "-shm", "-journal"]

    /// Of the file of that name; 0 where there is none.
    static func size(_ path: String) -> Int {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    static func areThere(_ path: String) -> Bool { endings.contains { FileNumber(named: path + $0) != nil } }

    static func remove(_ path: String) { for ending in endings { _ = unsafe unlink(path + ending) } }
}
