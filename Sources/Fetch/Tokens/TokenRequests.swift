import Glibc
import SluicePosix
import SluiceRecords

/// Asks services for tokens, as often as anything else is asked for.
struct TokenRequests {
    private let client: Client
    /// Bytes of an answer with a token, at the most.
    private static let longestToken = 1 << 20

    init(_ client: Client) { self.client = client }

    /// Asks for a token: by what was given for that the last time, where that is the way.
    func token(for asker: TokenClient) throws(Failure) -> TokenAnswer {
        guard let kept = try asker.keptTokens() else {
            return try answer(asker) { () throws(Failure) in
                try post(asker.address) { () throws(Failure) in try asker.request() }
            }
        }
        // Many refresh tokens are good once: two processes must not use the same.
        return try kept.withLock { () throws(Failure) in try refresh(kept, asker) }
    }

    private func refresh(_ kept: KeptTokens, _ asker: TokenClient) throws(Failure) -> TokenAnswer {
        let known = try kept.read()
        let origin = asker.refreshToken.map { fingerprint(of: [$0]) }
        guard let old = known?.origin == origin ? known ?? first(asker) : first(asker) else {
            throw Failure(.refused, "nobody has logged in at \(asker.address.shown): sluice login does that")
        }
        if let token = old.token {
            let left = old.end.map { $0 - Double(time(nil)) }
            if old.refreshToken == nil || (left ?? .infinity) > 60 { return try unended(token, left, asker) }
        }
        guard let refreshToken = old.refreshToken else {
            throw Failure(.refused, "\(kept.path) holds no token: log in again, with sluice login")
        }
        client.access.authorizer.hide(refreshToken)
        let found = try answer(asker) { () throws(Failure) in
            try explained(asker) { () throws(Failure) in
                try post(asker.address) { () throws(Failure) in try asker.request(refreshToken: refreshToken) }
            }
        }
        // Before the token is used: the old one may be good no longer.
        if let next = found.refreshToken {
            client.access.authorizer.hide(next)
            try kept.write(KeptTokens.Content(refreshToken: next, origin: origin))
        }
        return found
    }

    /// What the definition has, where nothing is kept.
    private func first(_ asker: TokenClient) -> KeptTokens.Content? {
        asker.refreshToken.map { KeptTokens.Content(refreshToken: $0) }
    }

    /// A token that is kept itself.
    private func unended(_ token: String, _ left: Double?, _ asker: TokenClient) throws(Failure) -> TokenAnswer {
        if let left, left <= 0 {
            throw Failure(.refused, "the token for \(asker.address.shown) has ended: log in again, with sluice login")
        }
        return TokenAnswer(token: token, lifetime: left)
    }

    /// Says what to do where a refresh token is refused.
    private func explained(
        _ asker: TokenClient, _ body: () throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        do throws(Failure) {
            return try body()
        } catch {
            guard error.kind == .refused else { throw error }
            let advice =
                asker.deviceAddress == nil
                ? "the refresh token is good no longer: put another into the definition"
                : "log in again, with sluice login"
            throw Failure(.refused, "\(error.message); \(advice)")
        }
    }

    private func answer(
        _ asker: TokenClient, _ body: () throws(Failure) -> [UInt8]
    ) throws(Failure) -> TokenAnswer {
        guard let answer = TokenAnswer(try body(), from: asker.address) else {
            throw Failure(.unavailable, "the token service answered with something that is no JSON")
        }
        return answer
    }

    /// Posts a form to a token service, as often as anything else is asked for.
    ///
    /// - Parameters:
    ///   - request: makes it: a signature is good once.
    ///   - isAwaited: whether an answer with status 400 is one that is waited for, too.
    func post(
        _ address: WebAddress, isAwaited: Bool = false, _ request: () throws(Failure) -> TokenRequest
    ) throws(Failure) -> [UInt8] {
        var backoff = Backoff(client.settings)
        let name = PageName(address.shown)
        while true {
            let form = try request()
            let exchange = client.open(address, headers: form.headers, content: Array(form.text.utf8))
            let answer = Client.Answer(exchange: exchange, address: address)
            let status = exchange.head.status
            // That is how a token service says that it does not know who asks (RFC 6749, section 5.2).
            if status == 400, !isAwaited { throw client.refused(answer, .refused) }
            if (200..<300).contains(status) || status == 400 {
                let body = exchange.beginning(TokenRequests.longestToken)
                if exchange.isComplete { return body }
            }
            let verdict = Verdict(answer, of: name, client)
            if case .failed(let failure) = verdict { throw failure }
            guard case .again(let reason, let after) = verdict else {
                throw Failure(.unavailable, "\(name) gave no token")
            }
            backoff.fail(hasProgress: false)
            try client.waitForRetry(&backoff, reason, after, of: name)
        }
    }
}
