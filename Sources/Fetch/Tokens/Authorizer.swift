import SluiceRecords
import Synchronization

/// Knows the header that tells a service who asks, and gets tokens where it takes one. Several threads share a token.
final class Authorizer: Sendable {
    private struct State {
        var credentials: Credentials
        var token: String?
        /// Which token it is.
        var number = 0
        /// When the token is not to be used any more.
        var end = Double.infinity
        /// Whether a request with the token has gone well.
        var isUsed = false
        /// Whether a token that a file or a program has given was refused.
        var isRefused = false

        /// The header with the token, if there is one.
        var header: Header? {
            token.map { Header(name: "Authorization", value: "Bearer \($0)", token: number) }
        }
    }

    /// A header, and the number of the token in it.
    struct Header {
        var name: String
        var value: String
        var token = 0
    }

    private let state: Mutex<State>
    /// Held by who asks for a token: the others wait for that one.
    private let asking = Monitor()

    /// Seconds before its end in which a token is not used any more.
    private static let margin = 10.0

    init(_ credentials: Credentials) { state = Mutex(State(credentials: credentials)) }

    var credentials: Credentials { state.withLock { $0.credentials } }

    /// Whether there is a way to get another token than one which a service has just refused.
    func canRenew(_ token: Int) -> Bool {
        state.withLock { state in
            // Another thread may be about to ask for the next one.
            let isBetween = state.credentials.client != nil ? state.token == nil : state.isRefused
            let hasOrigin = state.credentials.client != nil || state.credentials.authorization?.origin != nil
            return hasOrigin && (state.isUsed || state.number != token || isBetween)
        }
    }

    /// Forgets a token, so that the next request asks for another.
    func renew(_ token: Int) {
        state.withLock { state in
            guard state.number == token else { return }
            state.token = nil
            state.isRefused = true
            state.isUsed = false
        }
    }

    /// The header, by `exchange` if it must be asked for.
    func header(_ exchange: (TokenClient) throws(Failure) -> TokenAnswer) throws(Failure) -> Header? {
        guard let client = credentials.client else { return try configuredHeader() }
        return try asking.withLock { () throws(Failure) in
            if let known = state.withLock({ now < $0.end ? $0.header : nil }) { return known }
            // A token that ends soon is good for the request that it was asked for.
            return try accept(exchange(client), client)
        }
    }

    /// The header with what the definition says, or a file or a program gives.
    private func configuredHeader() throws(Failure) -> Header? {
        try asking.withLock { () throws(Failure) in
            if state.withLock({ $0.isRefused }), let origin = credentials.authorization?.origin {
                let secret = try origin.value()
                state.withLock { state in
                    state.credentials.replace(secret)
                    state.number += 1
                    state.isRefused = false
                }
            }
            return state.withLock { state in
                state.credentials.authorization.map {
                    Header(name: $0.name, value: $0.prefix + $0.secret, token: state.number)
                }
            }
        }
    }

    /// Notes that a request with a token has gone well.
    func markUsed(_ token: Int) { state.withLock { if $0.number == token { $0.isUsed = true } } }

    /// Hides something else that a service has given.
    func hide(_ secret: String) { state.withLock { $0.credentials.hide(secret) } }

    private func accept(_ answer: TokenAnswer, _ client: TokenClient) throws(Failure) -> Header? {
        guard let token = answer.token else {
            throw Failure(.unavailable, "\(client.address.shown) answered without an access_token")
        }
        let end = answer.lifetime.map { now + $0 - Authorizer.margin } ?? .infinity
        return state.withLock { state in
            state.credentials.hide(token)
            state.token = token
            state.number += 1
            state.end = end
            state.isUsed = false
            return state.header
        }
    }
}
