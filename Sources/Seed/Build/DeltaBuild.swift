import Glibc
import SluiceExtract
import SluicePosix
import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// Makes the deltas to a new seed from those before it.
struct DeltaBuild {
    let folder: SeedFolder
    let work: WorkFiles
    /// The file of the new one, expanded.
    let seed: String
    let row: SeedRow
    let whole: SeedManifest.Whole
    let settings: SeedBuild.Settings

    /// - Returns: the deltas that are worth it, the newest first.
    func perform(_ model: SeedModel) throws(Failure) -> [SeedManifest.Delta] {
        let first = max(1, row.version - settings.keep)
        var deltas: [SeedManifest.Delta] = []
        for version in (first..<max(first, row.version)).reversed() {
            guard let file = try folder.bring(SeedName.whole(row.name, version)) else { continue }
            // What was brought for it takes no room any more.
            defer { if folder.objects != nil { _ = unsafe unlink(file) } }
            if let delta = try delta(from: version, file, model) { deltas.append(delta) }
        }
        return deltas
    }

    private func delta(from version: Int, _ file: String, _ model: SeedModel) throws(Failure) -> SeedManifest.Delta? {
        let earlier = try work.make("earlier")
        // What was damaged since it was published is no reason not to publish.
        guard try expand(file, to: earlier) else {
            settings.note("there is no delta from version \(version): \(file) is damaged")
            return nil
        }
        let connection = try open(earlier)
        defer { connection.close() }
        guard let old = try SeedRow.read(connection, schema: "earlier"), old.version == version,
            old.name.isIdentical(to: row.name)
        else { return nil }
        let name = SeedName.delta(row.name, from: version, to: row.version)
        let written = try WrittenFile(folder.path(of: name))
        let compressor = try Compressor(written, level: settings.level)
        let outcome = try DeltaMaker(connection: connection, stop: settings.stop).make(
            compressor, most: whole.bytes / 2)
        settings.stop.attach(to: connection)
        if outcome == .otherSchema { return nil }
        let digest = try compressor.finish()
        // To ask costs something, and only much that is new can come of it.
        if version == row.version - 1, compressor.taken > whole.expandedBytes / 8 {
            try warnOfNewKeys(connection, model)
        }
        guard outcome == .made, compressor.written <= whole.bytes / 2 else { return nil }
        try written.finish()
        return SeedManifest.Delta(
            from: version, fromContent: old.content, file: name, bytes: compressor.written, sha256: digest,
            expandedBytes: compressor.taken)
    }

    private func open(_ earlier: String) throws(Failure) -> Connection {
        let connection = try Connection(path: seed, access: .read)
        connection.isForeign = true
        settings.stop.attach(to: connection)
        let attach = try connection.prepare("ATTACH ? AS earlier")
        attach.bind(1, earlier)
        try attach.run()
        try connection.execute("PRAGMA main.cache_size = -32768")
        try connection.execute("PRAGMA earlier.cache_size = -32768")
        return connection
    }

    private func expand(_ file: String, to path: String) throws(Failure) -> Bool {
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Failure(.io, "\(path) cannot be written", errno: errno) }
        defer { close(descriptor) }
        do throws(Failure) {
            // Its size is not known any more; it is a file of this folder.
            let expander = try Expander(ReadFile(file), expanded: nil)
            _ = try WholeFile.expand(expander, to: descriptor, named: path, settings.stop)
            return true
        } catch {
            if error.kind == .data { return false }
            throw error
        }
    }

    /// Says it where the same objects have got other objectIDs: then nothing is like it was, and no delta helps.
    private func warnOfNewKeys(_ connection: Connection, _ model: SeedModel) throws(Failure) {
        var (known, moved): (Int64, Int64) = (0, 0)
        for entity in model.entities {
            let table = quoted(entity.table)
            let same = entity.identifier.map { "n.\(quoted($0)) = o.\(quoted($0))" }.joined(separator: " AND ")
            let counts = try? connection.prepare(
                "SELECT count(*), sum(n.objectID <> o.objectID) FROM main.\(table) n JOIN earlier.\(table) o ON \(same)"
            )
            guard let counts, try counts.step() else { continue }
            known += counts.integer(0)
            moved += counts.integer(1)
            counts.reset()
        }
        guard known > 0, moved * 10 > known * 9 else { return }
        settings.note(
            "nearly all objects have other objectIDs than in version \(row.version - 1), so that nearly all rows differ: "
                + "build seeds from a store that is kept from run to run, not from a new one")
    }
}
