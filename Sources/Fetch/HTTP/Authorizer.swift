import CSluiceCurl
import SluiceExtract
import SluiceRecords

/// Knows the header that tells a service who asks, and gets tokens where it takes one.
final class Authorizer {
    private(set) var credentials: Credentials
    private var token: String?
    /// When the token is not to be used any more.
    private var end = Double.infinity
    /// Whether a request with the token has gone well.
    private var isUsed = false

    /// Seconds before its end in which a token is not used any more.
    private static let margin = 10.0

    init(_ credentials: Credentials) { self.credentials = credentials }

    /// Whether there is a way to get other credentials than those which a service has just refused.
    var canRenew: Bool { credentials.client != nil && isUsed }

    /// Forgets the token, so that the next request asks for another.
    func renew() {
        token = nil
        isUsed = false
    }

    /// The header, by `exchange` if it must be asked for.
    func header(_ exchange: (Credentials.Client) throws(Failure) -> [UInt8]) throws(Failure) -> (String, String)? {
        guard let client = credentials.client else { return credentials.authorization }
        if let token, now < end - Authorizer.margin {
            return ("Authorization", "Bearer \(token)")
        }
        let answer = try exchange(client)
        let token = try take(answer, client)
        self.token = token
        isUsed = false
        return ("Authorization", "Bearer \(token)")
    }

    /// Notes that a request with the token has gone well.
    func noteUse() { isUsed = true }

    private func take(_ answer: [UInt8], _ client: Credentials.Client) throws(Failure) -> String {
        let root: JSONNode
        do throws(Failure) {
            root = try JSONTree.read(answer, file: client.address.shown).root
        } catch {
            throw Failure(.unavailable, "\(client.address.shown) answered with something that is no JSON")
        }
        guard case .string(let token)? = root["access_token"]?.kind, !token.isEmpty,
            !token.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f })
        else { throw Failure(.unavailable, "\(client.address.shown) answered without an access_token") }
        credentials.hide(token)
        end = .infinity
        if case .number(let text)? = root["expires_in"]?.kind, let seconds = Double(text) { end = now + seconds }
        return token
    }
}
