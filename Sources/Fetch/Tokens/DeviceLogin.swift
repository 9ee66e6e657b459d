import Glibc
import SluiceExtract
import SluiceRecords

/// Somebody says, in a browser, that this client may have tokens of a service (RFC 8628).
///
///     let login = try DeviceLogin(oauth, FetchSession(.sluice))
///     print("open \(login.address) and enter \(login.code)")
///     let file = try login.wait()
package final class DeviceLogin {
    /// Where somebody says it.
    package let address: String
    /// The same, with the code in it.
    package let wholeAddress: String?
    /// What is entered there.
    package let code: String

    private let session: FetchSession
    private let requests: TokenRequests
    private let tokens: TokenClient
    private let deviceCode: String
    private var interval: Double
    private let end: Double

    /// Asks for a code.
    package init(_ oauth: Authentication.OAuth2, _ session: FetchSession) throws(Failure) {
        tokens = try TokenClient(oauth)
        var request = WebRequest(url: oauth.tokenURL)
        request.auth = .oauth2(oauth)
        self.session = session
        requests = TokenRequests(try Client(ServiceAccess(request, session)))
        guard let place = tokens.deviceAddress else {
            throw Failure(.usage, "\(tokens.address.shown) gives tokens without a login")
        }
        let tokens = tokens
        let bytes = try requests.post(place) { () throws(Failure) in try tokens.deviceRequest() }
        guard let root = try? JSONTree.read(bytes, file: place.shown).root, let device = root["device_code"]?.text,
            let code = root["user_code"]?.text,
            let address = (root["verification_uri"] ?? root["verification_url"])?.text
        else { throw Failure(.unavailable, "\(place.shown) answered without a device_code and a verification_uri") }
        (deviceCode, self.code, self.address) = (device, code, address)
        wholeAddress = root["verification_uri_complete"]?.text
        interval = DeviceLogin.number(root["interval"]) ?? 5
        end = now + (DeviceLogin.number(root["expires_in"]) ?? 900)
    }

    private static func number(_ node: JSONNode?) -> Double? {
        guard case .number(let text)? = node?.kind else { return nil }
        return Double(text)
    }

    /// Waits until it was said, and keeps what the service gives then. Returns the file in which that is.
    ///
    /// - Throws: `refused` where it was denied, or nobody has said anything in time.
    package func wait() throws(Failure) -> String {
        guard let kept = try tokens.keptTokens() else {
            throw Failure(.usage, "\(tokens.address.shown) gives tokens without a login")
        }
        while now < end {
            usleep(UInt32(min(max(interval, 0.05), 60) * 1e6))
            let bytes = try requests.post(tokens.address, isAwaited: true) { [tokens, deviceCode] () throws(Failure) in
                try tokens.request(deviceCode: deviceCode)
            }
            guard let answer = TokenAnswer(bytes, from: tokens.address) else {
                throw Failure(.unavailable, "\(tokens.address.shown) answered with something that is no JSON")
            }
            if answer.token != nil {
                try kept.withLock { () throws(Failure) in try kept.write(DeviceLogin.content(answer)) }
                return kept.path
            }
            try goOn(bytes)
        }
        throw Failure(.refused, "nobody has entered the code in time")
    }

    /// What is kept of an answer: the token itself only where there is no other way to one.
    private static func content(_ answer: TokenAnswer) -> KeptTokens.Content {
        if let refreshToken = answer.refreshToken { return KeptTokens.Content(refreshToken: refreshToken) }
        return KeptTokens.Content(token: answer.token, end: answer.lifetime.map { Double(time(nil)) + $0 })
    }

    /// What an answer without a token means (RFC 8628, section 3.5).
    private func goOn(_ bytes: [UInt8]) throws(Failure) {
        let error = (try? JSONTree.read(bytes, file: tokens.address.shown).root)?["error"]?.text
        switch error {
        case "authorization_pending": return
        case "slow_down": interval += 5 * session.settings.backoff
        case "access_denied": throw Failure(.refused, "the login was denied")
        case "expired_token": throw Failure(.refused, "nobody has entered the code in time")
        default: throw Failure(.refused, "\(tokens.address.shown) refuses the login: \(ContentCheck.excerpt(bytes))")
        }
    }
}
