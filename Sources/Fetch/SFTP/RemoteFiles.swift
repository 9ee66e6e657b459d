import SluiceExtract
import SluicePosix
import SluiceRecords

/// The files of a machine that is reached by SFTP.
package final class RemoteFiles {
    package let place: RemotePattern
    private let requests: RemoteRequests

    /// Bytes of the names in a folder, at the most.
    private static let longestList = 64 << 20

    package init(_ place: RemotePattern, _ session: FetchSession) throws(Failure) {
        self.place = place
        requests = try RemoteRequests(place, session)
    }

    /// The paths that the pattern names, sorted by their bytes; a path that is no pattern is one that is there.
    package func paths() throws(Failure) -> [String] {
        guard PathPattern.isPattern(place.path) else { return [place.path] }
        let parts = place.path.split(separator: "/").map(String.init)
        return try expand("/", parts[...]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func expand(_ folder: String, _ parts: ArraySlice<String>) throws(Failure) -> [String] {
        guard let part = parts.first else { return [] }
        let rest = parts.dropFirst()
        guard PathPattern.isPattern(part) else {
            return rest.isEmpty ? [folder + part] : try expand(folder + part + "/", rest)
        }
        let names = try names(in: folder, matching: part)
        if rest.isEmpty { return names.map { folder + $0 } }
        var found: [String] = []
        for name in names {
            do throws(Failure) {
                found += try expand("\(folder)\(name)/", rest)
            } catch {
                // What matches may be a file, in which there is none.
                if error.kind != .missing { throw error }
            }
        }
        return found
    }

    /// - Throws: `missing` where a name that matches cannot be said, or is read as those of two files.
    private func names(in folder: String, matching part: String) throws(Failure) -> [String] {
        let all = try RemoteBytes(requests, folder).bytes(most: RemoteFiles.longestList + 1)
        guard all.count <= RemoteFiles.longestList else {
            throw Failure(.data, "\(place.name(of: folder)) has too many files to be listed")
        }
        let there = all.split(separator: UInt8(ascii: "\n"))
        // Who lists a folder gets a name in each line.
        guard Set(there).count == there.count else {
            throw Failure(.missing, "\(place.name(of: folder)) has a file with a line break in its name: rename it")
        }
        var names: [String] = []
        for bytes in there where PathPattern.matches(bytes, part) {
            guard let name = String(validating: bytes, as: UTF8.self) else {
                throw Failure(
                    .missing,
                    "a file in \(place.name(of: folder)) matches \(part), but its name is not UTF-8: it cannot be read until"
                        + " it is renamed")
            }
            if ![".", ".."].contains(name) { names.append(name) }
        }
        return names
    }

    /// What tells a file from another of its name: its size, and when it was changed.
    package func state(of path: String) throws(Failure) -> String {
        let bytes = RemoteBytes(requests, path)
        try bytes.open()
        defer { requests.end() }
        return "\(bytes.facts.size) \(bytes.facts.changed)"
    }

    /// The bytes of a file; one at a time is read.
    package func bytes(of path: String) -> any ByteSource { RemoteBytes(requests, path) }

    /// A copy of a file that is an archive: such a one is not read from its beginning to its end.
    package func archive(_ path: String) throws(Failure) -> TemporaryFile {
        let file = try TemporaryFile("the archive's temporary copy")
        try file.append(all: bytes(of: path))
        return file
    }
}
