import CSluiceCurl
import SluiceExtract
import SluicePosix
import SluiceRecords

/// The files of a machine that is reached by SFTP.
package final class RemoteFiles {
    package let place: RemotePattern
    private let connection: SFTPConnection
    private let session: FetchSession

    private static let mostRetries = 5
    /// Bytes of the names in a folder, at the most.
    private static let longestList = 64 << 20

    package init(_ place: RemotePattern, _ session: FetchSession) throws(Failure) {
        self.place = place
        self.session = session
        connection = try SFTPConnection(place, session)
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
        let all = try RemoteBytes(self, folder).bytes(most: RemoteFiles.longestList + 1)
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
        let bytes = RemoteBytes(self, path)
        try bytes.open()
        defer { connection.end() }
        return "\(bytes.facts.size) \(bytes.facts.changed)"
    }

    /// The bytes of a file; one at a time is read.
    package func bytes(of path: String) -> any ByteSource { RemoteBytes(self, path) }

    /// A copy of a file that is an archive: such a one is not read from its beginning to its end.
    package func archive(_ path: String) throws(Failure) -> TemporaryFile {
        let file = try TemporaryFile("the archive's temporary copy")
        try file.append(all: bytes(of: path))
        return file
    }

    // MARK: What the bytes of a file need

    fileprivate func begin(_ path: String, from offset: UInt64) { connection.begin(path, from: offset) }

    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        unsafe connection.read(into: buffer)
    }

    fileprivate var facts: (size: Int, changed: Int) { connection.facts }

    /// Whether a request has ended well; else waits before the next one.
    fileprivate func isDone(_ path: String, _ backoff: inout Backoff, hasProgress: Bool) throws(Failure) -> Bool {
        if !session.isWanted { throw Failure(.cancelled, "the download was ended") }
        let name = place.name(of: path)
        var reason = "was silent"
        if !connection.isSilent {
            let explanation = connection.explanation
            switch connection.code ?? CURLE_OK {
            case CURLE_OK: return true
            case CURLE_REMOTE_FILE_NOT_FOUND, CURLE_FTP_COULDNT_RETR_FILE:
                throw Failure(.missing, "\(name) does not exist, or is no file: \(explanation)")
            case CURLE_LOGIN_DENIED, CURLE_REMOTE_ACCESS_DENIED:
                throw Failure(.refused, "\(name) may not be read: \(explanation)")
            case CURLE_PEER_FAILED_VERIFICATION:
                throw Failure(
                    .refused, "\(name) cannot be trusted: the key of the machine is not the one that is known")
            // It is shorter than what has come of it.
            case CURLE_BAD_DOWNLOAD_RESUME: throw changed(path)
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT:
                reason = "cannot be reached: \(explanation)"
            default: reason = "broke off: \(explanation)"
            }
        }
        backoff.fail(hasProgress: hasProgress)
        guard backoff.failures <= RemoteFiles.mostRetries else {
            throw Failure(.unavailable, "\(name) \(reason) (tried \(backoff.failures) times)")
        }
        let seconds = backoff.delay(retryAfter: 0)
        session.meter.countRetry(reason)
        session.onRetry(
            Retry(
                name: name, reason: reason, seconds: seconds, failures: backoff.failures,
                most: RemoteFiles.mostRetries))
        let stream = PageStream(size: 1, isStopped: session.isStopped)
        _ = session.meter.wait(seconds, .retry, stream.pause)
        return false
    }

    fileprivate func changed(_ path: String) -> Failure {
        Failure(.data, "\(place.name(of: path)) changed while it was read: run again, when all of it is there")
    }

    fileprivate var firstBackoff: Backoff { Backoff(session.settings) }
}

/// The bytes of a file, however often the connection breaks off.
private final class RemoteBytes: ByteSource {
    private let files: RemoteFiles
    private let path: String
    private var backoff: Backoff
    private var received: UInt64 = 0
    /// What had been received when the last request began.
    private var mark: UInt64 = 0
    private var isBegun = false
    private var isAtEnd = false
    /// Of the file as it was when it was opened.
    private(set) var facts = (size: -1, changed: -1)

    init(_ files: RemoteFiles, _ path: String) {
        self.files = files
        self.path = path
        backoff = files.firstBackoff
    }

    /// Waits until the first bytes have come, which nobody gets: to see whether the file is there.
    func open() throws(Failure) {
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        let outcome = unsafe buffer.withUnsafeMutableBytes { memory in
            Result { () throws(Failure) in try unsafe next(into: memory) }
        }
        _ = try outcome.get()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int { try unsafe next(into: buffer) }

    private func next(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while !isAtEnd {
            if !isBegun {
                files.begin(path, from: received)
                (isBegun, mark) = (true, received)
            }
            let count = unsafe files.read(into: buffer)
            if received == mark { try compareFacts() }
            received += UInt64(count)
            if count > 0 { return count }
            isBegun = false
            isAtEnd = try files.isDone(path, &backoff, hasProgress: received > mark)
            if isAtEnd { try checkUnchanged() }
        }
        return 0
    }

    /// Asks once more, behind the last byte: libcurl reads as much as there was when it began, whatever has become of
    /// the file since.
    private func checkUnchanged() throws(Failure) {
        guard facts.size >= 0, !path.hasSuffix("/") else { return }
        guard received == UInt64(facts.size) else { throw files.changed(path) }
        mark = received
        var byte: [UInt8] = [0]
        var isDone = false
        while !isDone {
            files.begin(path, from: received)
            let count = unsafe byte.withUnsafeMutableBytes { unsafe files.read(into: $0) }
            try compareFacts()
            if count > 0 { throw files.changed(path) }
            isDone = try files.isDone(path, &backoff, hasProgress: false)
        }
    }

    /// Compares the file with the one that was begun.
    private func compareFacts() throws(Failure) {
        let now = files.facts
        guard now.size >= 0, !path.hasSuffix("/") else { return }
        let whole = (size: now.size + Int(mark), changed: now.changed)
        if facts.size < 0 { facts = whole }
        guard facts == whole else { throw files.changed(path) }
    }
}
