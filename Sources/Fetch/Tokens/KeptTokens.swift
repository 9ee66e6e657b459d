import Glibc
import SluiceExtract
import SluicePosix
import SluiceRecords

/// What a service has given for the next time: refresh tokens, of which many are good once, and tokens without an end.
/// A file that only its owner may read, in the state folder; who uses it has it alone.
struct KeptTokens {
    /// What the file holds.
    struct Content: Equatable {
        var refreshToken: String?
        /// A token that is good by itself.
        var token: String?
        /// When that ends, in seconds since 1970; nil: never.
        var end: Double?
        /// What tells the refresh token of the definition from others, from which these came.
        var origin: String?
    }

    let path: String

    /// Seconds in which another process may have the file.
    private static let patience = 120.0

    /// - Parameter names: what tells the tokens from others.
    /// - Throws: `uncreatable` where there is no state folder.
    init(_ names: [String]) throws(Failure) {
        guard let folder = StateFolder.path else {
            throw Failure(
                .uncreatable,
                "there is no folder for the tokens of services: set HOME, XDG_STATE_HOME or STATE_DIRECTORY")
        }
        path = folder + "/token-" + fingerprint(of: names).prefix(24) + ".json"
    }

    /// Does something while no other process has the tokens.
    func withLock<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        StateFolder.create(FilePath.folder(path))
        let lock = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw Failure(.uncreatable, "\(path).lock cannot be written", errno: errno) }
        defer { close(lock) }
        let end = now + KeptTokens.patience
        while true {
            let outcome = FileLock.attempt(lock)
            if outcome == .taken { break }
            if case .failed(let code) = outcome {
                throw Failure(.uncreatable, "\(path).lock cannot be locked", errno: code)
            }
            guard now < end else { throw Failure(.busy, "another process has had \(path) for two minutes") }
            usleep(20_000)
        }
        return try body()
    }

    /// What is there; nil: nothing.
    func read() throws(Failure) -> Content? {
        guard unsafe access(path, F_OK) == 0 else { return nil }
        let text = try Secret.file(path).value()
        guard let root = try? JSONTree.read(Array(text.utf8), file: path).root else {
            throw Failure(.io, "\(path) is damaged: remove it, and log in again")
        }
        var content = Content()
        content.refreshToken = root["refreshToken"]?.text
        content.token = root["token"]?.text
        content.origin = root["origin"]?.text
        if case .number(let text)? = root["end"]?.kind { content.end = Double(text) }
        return content
    }

    /// Puts a content in the place of the last one, on the disk before this returns.
    func write(_ content: Content) throws(Failure) {
        let texts = [("refreshToken", content.refreshToken), ("token", content.token), ("origin", content.origin)]
        var members = texts.compactMap { name, text in text.map { (name, JSONText.quoted($0)) } }
        if let end = content.end { members.append(("end", String(end))) }
        let file = try WrittenFile(path, mode: 0o600)
        try file.write(Array((JSONText.object(members) + "\n").utf8))
        try file.finish()
        let folder = unsafe open(FilePath.folder(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
