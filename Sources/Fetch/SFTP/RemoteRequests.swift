import CSluiceCurl
import SluiceExtract
import SluiceRecords

/// Makes the requests to a machine that is reached by SFTP: one after the other, each as often as it takes.
final class RemoteRequests {
    let place: RemotePattern
    private let session: FetchSession
    private let connection: SFTPConnection

    private static let mostRetries = 5

    init(_ place: RemotePattern, _ session: FetchSession) throws(Failure) {
        self.place = place
        self.session = session
        connection = try SFTPConnection(place, session)
    }

    /// Begins to read a file from an offset on, or the names in a folder, whose path ends with a slash.
    func begin(_ path: String, from offset: UInt64) { connection.begin(path, from: offset) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { unsafe connection.read(into: buffer) }

    /// Ends the request, wherever it is.
    func end() { connection.end() }

    /// The size of what is left of the file, and when it was changed, once something of it has come.
    var facts: (size: Int, changed: Int) { connection.facts }

    var firstBackoff: Backoff { Backoff(session.settings) }

    /// Whether a request has ended well; else waits before the next one.
    func isDone(_ path: String, _ backoff: inout Backoff, hasProgress: Bool) throws(Failure) -> Bool {
        if !session.isWanted { throw Failure(.cancelled, "the download was ended") }
        guard let reason = try fault(path) else { return true }
        let name = place.name(of: path)
        backoff.fail(hasProgress: hasProgress)
        guard backoff.failures <= RemoteRequests.mostRetries else {
            throw Failure(.unavailable, "\(name) \(reason) (tried \(backoff.failures) times)")
        }
        let retry = Retry(
            name: name, reason: reason, seconds: backoff.delay(retryAfter: 0), failures: backoff.failures,
            most: RemoteRequests.mostRetries)
        session.wait(for: retry, .retry, PageStream(size: 1, isStopped: session.isStopped).pause)
        return false
    }

    /// Why a request is made again, after the name of the file; nil: it has ended well. Throws where it is not.
    private func fault(_ path: String) throws(Failure) -> String? {
        if connection.isSilent { return "was silent" }
        let name = place.name(of: path)
        let explanation = connection.explanation
        switch connection.code ?? CURLE_OK {
        case CURLE_OK: return nil
        case CURLE_REMOTE_FILE_NOT_FOUND, CURLE_FTP_COULDNT_RETR_FILE:
            throw Failure(.missing, "\(name) does not exist, or is no file: \(explanation)")
        case CURLE_LOGIN_DENIED, CURLE_REMOTE_ACCESS_DENIED:
            throw Failure(.refused, "\(name) may not be read: \(explanation)")
        case CURLE_PEER_FAILED_VERIFICATION:
            throw Failure(.refused, "\(name) cannot be trusted: the key of the machine is not the one that is known")
        // It is shorter than what has come of it.
        case CURLE_BAD_DOWNLOAD_RESUME: throw changed(path)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT:
            return "cannot be reached: \(explanation)"
        default: return "broke off: \(explanation)"
        }
    }

    func changed(_ path: String) -> Failure {
        Failure(.data, "\(place.name(of: path)) changed while it was read: run again, when all of it is there")
    }
}
