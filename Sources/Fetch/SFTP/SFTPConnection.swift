import CSluiceCurl
import Glibc
import SluiceExtract
import SluicePosix
import SluiceRecords

/// A connection to a machine by SFTP, on which one file after the other is read.
///
/// A key says who asks: that of `SLUICE_SSH_KEY`, else those of the agent, else the usual one in `~/.ssh`. The machine
/// must be one of `SLUICE_KNOWN_HOSTS`, or `~/.ssh/known_hosts`, under its key.
@safe
final class SFTPConnection {
    let place: RemotePattern
    private let session: FetchSession
    private let curl: CurlHandle
    /// How the request has ended, as libcurl says it; nil: it goes on.
    private(set) var code: CURLcode?
    private(set) var isSilent = false
    private var inbox = Inbox()
    private var isPaused = false
    private var isOpen = false
    private var heard = now

    /// Seconds in which the machine may be silent.
    private let timeout: Double

    init(_ place: RemotePattern, _ session: FetchSession) throws(Failure) {
        self.place = place
        self.session = session
        let settings = session.settings
        timeout = min(30, settings.longestSilence)
        do throws(Failure) { curl = try CurlHandle(settings, protocols: "sftp") } catch {
            throw Failure(.unavailable, "this libcurl does not speak SFTP: let a command read \(place.text)")
        }
        let home = settings.variable("HOME") ?? "/"
        let hosts = settings.variable("SLUICE_KNOWN_HOSTS") ?? "\(home)/.ssh/known_hosts"
        guard unsafe access(hosts, R_OK) == 0 else {
            throw Failure(
                .refused,
                "\(hosts), which says the keys of machines, cannot be read: ssh-keyscan, or a login by ssh, adds that of "
                    + place.host)
        }
        curl.set(CURLOPT_SSH_KNOWNHOSTS, hosts)
        curl.set(CURLOPT_USERNAME, place.user ?? settings.variable("USER") ?? settings.variable("LOGNAME"))
        curl.set(CURLOPT_CONNECTTIMEOUT_MS, Int(timeout * 1000))
        curl.set(CURLOPT_FILETIME, 1)
        try setKey(home, settings)
    }

    deinit { end() }

    /// Says which key is used.
    private func setKey(_ home: String, _ settings: FetchSettings) throws(Failure) {
        let (publicKey, agent) = (1 << 0, 1 << 4)
        if let path = settings.variable("SLUICE_SSH_KEY") {
            guard unsafe access(path, R_OK) == 0 else {
                throw Failure(.refused, "\(path), which SLUICE_SSH_KEY names, cannot be read", errno: errno)
            }
            curl.set(CURLOPT_SSH_PRIVATE_KEYFILE, path)
            curl.set(CURLOPT_SSH_AUTH_TYPES, publicKey)
            return
        }
        let usual = ["id_ed25519", "id_ecdsa", "id_rsa"].map { "\(home)/.ssh/\($0)" }
        let own = usual.first { unsafe access($0, R_OK) == 0 }
        curl.set(CURLOPT_SSH_PRIVATE_KEYFILE, own)
        curl.set(
            CURLOPT_SSH_AUTH_TYPES,
            (own == nil ? 0 : publicKey) | (settings.variable("SSH_AUTH_SOCK") == nil ? 0 : agent))
        guard own != nil || settings.variable("SSH_AUTH_SOCK") != nil else {
            throw Failure(
                .refused, "there is no key for \(place.host): SLUICE_SSH_KEY names one, or ~/.ssh has id_ed25519")
        }
    }

    /// Begins to read a file from an offset on, or the names in a folder, whose path ends with a slash.
    func begin(_ path: String, from offset: UInt64 = 0) {
        end()
        curl.set(CURLOPT_URL, place.address(of: path))
        curl.set(CURLOPT_RESUME_FROM, Int(offset))
        curl.set(CURLOPT_DIRLISTONLY, 1)
        _ = unsafe sluice_curl_set_receiver(curl.handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            unsafe SFTPConnection.from(context).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        session.meter.countRequest()
        inbox = Inbox()
        (isPaused, isSilent, isOpen, heard) = (false, false, true, now)
        code = unsafe curl.begin(Unmanaged.passUnretained(self).toOpaque())
    }

    /// The next bytes; 0 at the end, see ``code``, or where nobody waits any more.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        heard = now
        while inbox.isEmpty {
            guard isOpen, code == nil, session.isWanted else { return 0 }
            if now - heard > timeout {
                isSilent = true
                return 0
            }
            if isPaused {
                isPaused = false
                curl.resume()
            } else {
                code = curl.step { inbox.isEmpty }
            }
        }
        return unsafe inbox.read(into: buffer)
    }

    /// Ends the request, wherever it is.
    func end() {
        guard isOpen else { return }
        isOpen = false
        // Else libcurl would wait, for ever, until a machine that says nothing has closed the file.
        if code == nil { curl.set(CURLOPT_TIMEOUT_MS, 1) }
        curl.end()
        curl.set(CURLOPT_TIMEOUT_MS, 0)
    }

    /// The size of the file, and when it was changed, once something of it has come.
    var facts: (size: Int, changed: Int) { curl.contentFacts }

    /// What libcurl says of the end.
    var explanation: String { curl.explanation(of: code ?? CURLE_OK) }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        heard = now
        guard unsafe inbox.put(bytes) else {
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        session.meter.count(bytes: bytes.count)
        return bytes.count
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> SFTPConnection {
        guard let context = unsafe context else { preconditionFailure("libcurl lost the context of its callbacks") }
        return unsafe Unmanaged<SFTPConnection>.fromOpaque(context).takeUnretainedValue()
    }
}
