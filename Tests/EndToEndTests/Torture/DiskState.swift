import Foundation

/// What a folder holds, as far as a command must leave it as it was or make it as it should be.
struct DiskState: Equatable {
    /// By name, what users see of each store, and its schema.
    var stores: [String: [String: [[String]]]] = [:]
    /// By name, where digits do not count, what else there is. What SQLite keeps beside a store comes and goes.
    var files: [String: Set<Data>] = [:]
    /// What is wrong: a store that is not sound, a file that is not whole.
    var faults: [String] = []

    var names: Set<String> { Set(files.keys) }

    /// - Parameter queries: more of the store that counts.
    init(_ folder: String, queries: [String]) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            if name.hasSuffix("-wal") || name.hasSuffix("-shm") || name.hasSuffix("-journal") { continue }
            let path = folder + "/" + name
            var isFolder: ObjCBool = false
            _ = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            if isFolder.boolValue || name.contains(".fingerprints-") && !name.hasSuffix(".new") { continue }
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            if name.hasSuffix(".sqlite") {
                do {
                    stores[name] = try DiskState.contents(path, name == "store.sqlite" ? queries : [], &faults)
                } catch { faults.append("\(name): \(error)") }
            }
            files[DiskState.name(name), default: []].insert(name.hasSuffix(".sqlite") ? Data() : data)
            if !DiskState.isWhole(name, path, data) { faults.append("\(name) is not whole") }
        }
    }

    /// A name without what is another one each time: times, numbers of runs.
    private static func name(_ name: String) -> String {
        name.replacing(/[0-9]{8}T[0-9]{6}Z/, with: "TIME").replacing(/run[0-9]+/, with: "runN")
    }

    private static func contents(_ path: String, _ queries: [String], _ faults: inout [String]) throws
        -> [String: [[String]]]
    {
        let store = try Database(path, patience: 1000)
        if try !store.isSound() { faults.append("\(path) is not sound") }
        var contents = try store.contents()
        for query in queries { contents[query] = (try? store.rows(query)) ?? [] }
        contents["schema"] = try store.rows(
            """
            SELECT type, name, tbl_name FROM sqlite_schema
            WHERE name NOT LIKE 'sluice\\_%' ESCAPE '\\' AND tbl_name NOT LIKE 'sluice\\_%' ESCAPE '\\' ORDER BY 1, 2
            """)
        return contents
    }

    private static func isWhole(_ name: String, _ path: String, _ data: Data) -> Bool {
        if name.hasSuffix(".html") { return String(decoding: data.suffix(20), as: UTF8.self).contains("</html>") }
        if name.hasSuffix(".seed.json") { return (try? JSONSerialization.jsonObject(with: data)) != nil }
        if name.hasSuffix(".ndjson") { return data.isEmpty || data.last == UInt8(ascii: "\n") }
        // Those that have got no name yet grow.
        if name.contains("/.sluice-work-") { return true }
        if name.hasSuffix(".zst") { return (try? Shell.run(["zstd", "-tq", path])) == 0 }
        return true
    }

    /// Forgets the bytes of files that are others in another run that nothing has disturbed: times stand in them.
    mutating func forgetBytes(differingFrom other: DiskState) {
        for (name, data) in other.files where files[name] != data { files[name] = [] }
    }

    /// Takes the files whose bytes another state has forgotten as it takes them.
    mutating func forgetBytes(forgottenBy others: [DiskState]) {
        for name in files.keys where others.contains(where: { $0.files[name]?.isEmpty == true }) { files[name] = [] }
    }

    /// The store that is neither as in one state nor as in another; nil if there is none.
    func difference(ofStoresFrom states: [DiskState]) -> String? {
        for name in Set(stores.keys).union(states.flatMap(\.stores.keys)) {
            let isEqual = states.contains { $0.stores[name] == stores[name] }
            if !isEqual { return "\(name) holds \(stores[name]?.mapValues(\.count) ?? [:])" }
        }
        return nil
    }

    /// The table with an object that is neither as in one state nor as in another; nil if there is none. Its references
    /// may be either, or none.
    func difference(ofObjectsFrom states: [DiskState]) -> String? {
        for (name, tables) in stores {
            let attributes = tables["Item", default: []].map { $0.prefix(3) }
            let known = Set(states.flatMap { $0.stores[name]?["Item"] ?? [] }.map { $0.prefix(3) })
            if !known.isSuperset(of: attributes) { return "\(name) has objects of no feed" }
        }
        return nil
    }

    /// The file that is neither as in one state nor as in another; nil if there is none.
    func difference(ofFilesFrom states: [DiskState]) -> String? {
        for name in names.union(states.flatMap(\.files.keys)) {
            let wanted = states.compactMap { $0.files[name] }
            guard let found = files[name] else {
                if wanted.count == states.count { return "\(name) is missing" }
                continue
            }
            // Those of a command that failed are its own.
            if name == "findings.ndjson" { continue }
            if wanted.isEmpty { return "\(name) is left" }
            if !found.isSubset(of: Set(wanted.joined())) { return "\(name) has other bytes" }
        }
        return nil
    }
}
