import CSluiceCurl
import SluiceExtract
import SluiceRecords

/// Makes requests to one service, one after the other: with its headers and credentials, no faster than allowed, along
/// redirects.
final class Client {
    /// What it has in common with others who ask the service for the same feed.
    let access: ServiceAccess
    /// Where the answers go.
    private(set) var stream: PageStream
    /// The first page, with the query of the definition.
    private(set) var start: PageRequest
    private let curl: CurlHandle
    /// The names of the headers that the last request had.
    private(set) var sent: [String] = []
    /// Which token the last request had.
    private var token = 0
    /// One at a time: they share a handle.
    private(set) var exchange: Exchange?

    /// - Parameter stream: nil: nobody reads pages, and only the session says whether anybody wants an answer.
    init(_ access: ServiceAccess, _ stream: PageStream? = nil) throws(Failure) {
        let stream = stream ?? PageStream(size: 1, isStopped: access.session.isStopped)
        self.stream = stream
        self.access = access
        start = PageRequest(address: access.start, body: access.request.body)
        let curl = try CurlHandle(access.session.settings)
        if access.request.isNear { curl.avoidProxies() }
        self.curl = curl
        stream.setAlarm { curl.wake() }
    }

    /// Turns to another part of the feed, by its first page.
    func turn(to first: PageRequest, _ stream: PageStream) {
        exchange?.close()
        exchange = nil
        start = first
        self.stream = stream
        stream.setAlarm { [curl] in curl.wake() }
    }

    /// What a request came to.
    struct Answer {
        /// Of which the body is still to be read.
        var exchange: Exchange
        /// Of the last redirect.
        var address: WebAddress
        var isRedirected = false
    }

    var request: WebRequest { access.request }
    var settings: FetchSettings { access.session.settings }

    /// What a service is shown as in messages.
    var name: String { start.address.shown }

    /// Seconds in which the service may be silent.
    var longestSilence: Double { min(request.timeout, settings.longestSilence) }

    /// A text without secrets.
    func cleaned(_ text: String) -> String { access.authorizer.credentials.redaction.cleaned(text) }

    /// Whether there is a way to get another token than the one that the last request had.
    var canRenewToken: Bool { access.authorizer.canRenew(token) }

    func renewToken() { access.authorizer.renew(token) }

    /// Notes that the last request has gone well.
    func markUsed() { access.authorizer.markUsed(token) }

    /// Asks for a page, and follows redirects; nil: nobody wants the answer any more.
    ///
    /// - Parameter isPlain: the content is wanted as it is, without any compression for the transfer.
    /// - Throws: what makes no sense to try again.
    func get(_ page: PageRequest, headers: [String], isPlain: Bool) throws(Failure) -> Answer? {
        var address = page.address
        let text = page.body?.text
        let type = text == nil ? [] : ["Content-Type: application/json"]
        for redirects in 0...settings.mostRedirects {
            let signature = try signature(for: address)
            let lines = try self.headers(for: address, signature) + headers
            guard access.pace.wait(stream.pause), stream.isWanted else { return nil }
            let coding = codings(beside: lines, signature, isPlain: isPlain)
            let exchange = open(
                address, headers: lines + type + coding, content: text.map { Array($0.utf8) }, signature: signature)
            let answer = Answer(exchange: exchange, address: address, isRedirected: redirects > 0)
            guard Client.redirects.contains(exchange.head.status), exchange.passOver(), let target = curl.redirection
            else { return answer }
            let next = try redirected(PageName(address.shown, page.number), address, to: target)
            // Other redirects are followed without what was posted, and that is for its service alone.
            guard text == nil || [307, 308].contains(exchange.head.status) && next.isOfSameService(as: access.start)
            else {
                throw Failure(.unavailable, "\(PageName(name, page.number)) redirects what is posted to \(next.shown)")
            }
            address = next
        }
        throw Failure(
            .unavailable, "\(PageName(name, page.number)) redirects more than \(settings.mostRedirects) times")
    }

    /// Sends a request that changes something, with a content or without; nil: nobody wants that any more. It is not
    /// redirected.
    func send(
        _ method: String, _ address: WebAddress, headers: [String] = [], content: [UInt8]? = nil
    ) throws(Failure) -> Answer? {
        let signature = try signature(for: address, of: content)
        let lines = try self.headers(for: address, signature) + headers + codings(beside: [], signature, isPlain: true)
        guard access.pace.wait(stream.pause), stream.isWanted else { return nil }
        let exchange = open(address, headers: lines, content: content, method: method, signature: signature)
        return Answer(exchange: exchange, address: address)
    }

    func open(
        _ address: WebAddress, headers: [String], content: [UInt8]? = nil, method: String? = nil,
        signature: AWSSignature? = nil
    ) -> Exchange {
        exchange?.close()
        let exchange = Exchange(curl, stream, access.session, timeout: longestSilence)
        access.session.meter.countRequest()
        self.exchange = exchange
        curl.set(method: method ?? (content == nil ? request.method : nil))
        curl.set(signature: signature)
        let sorted = signature == nil ? address : address.withSortedQuery
        let encoded = signature?.encoded(sorted)
        curl.set(CURLOPT_REQUEST_TARGET, encoded?.target)
        exchange.open(encoded?.address ?? sorted, headers: headers, content: content)
        return exchange
    }

    /// How the content may be compressed for the transfer: a header, or none.
    ///
    /// libcurl (7.88) sorts the headers that it signs by their lines, and services by their names: `Accept` and
    /// `Accept-Encoding` would have another order there.
    private func codings(beside lines: [String], _ signature: AWSSignature?, isPlain: Bool) -> [String] {
        if signature != nil, lines.contains(where: { $0.lowercased().hasPrefix("accept:") }) { return [] }
        return ["Accept-Encoding: \(isPlain ? "identity" : Client.codings)"]
    }

    /// What we can decompress. Not br: no file is compressed so.
    private static let codings = ContentCoding.allCases.map(\.rawValue).joined(separator: ", ")

    private static let redirects: Set<Int> = [301, 302, 303, 307, 308]

    private func redirected(
        _ name: PageName, _ address: WebAddress, to target: String
    ) throws(Failure) -> WebAddress {
        do throws(AddressError) {
            return try follow(target, from: address)
        } catch {
            throw Failure(.unavailable, "\(name) redirects to an address that \(error.message)")
        }
    }

    /// Where a service sends us, relative to where we are.
    func follow(_ target: String, from address: WebAddress) throws(AddressError) -> WebAddress {
        let next = try WebAddress(target, relativeTo: address)
        if address.scheme == "https", next.scheme != "https" {
            throw AddressError("is not encrypted, as it was before (\(next.shown))")
        }
        return next
    }

    /// The headers for an address. Only the service of the definition gets what is meant for it.
    private func headers(for address: WebAddress, _ signature: AWSSignature?) throws(Failure) -> [String] {
        guard address.isOfSameService(as: access.start) else { return ["Accept: \(accepted)"] }
        var headers = access.authorizer.credentials.headers + (signature?.headers ?? [])
        let tokens = TokenRequests(self)
        if let header = try access.authorizer.header({ asker throws(Failure) in try tokens.token(for: asker) }) {
            headers.append((header.name, header.value))
            token = header.token
        }
        sent = headers.map(\.name)
        // What is signed has libcurl's own, see `codings`.
        if signature == nil, !headers.contains(where: { $0.name.lowercased() == "accept" }) {
            headers.append(("Accept", accepted))
        }
        // With a semicolon, libcurl sends a header without a value.
        return headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    }

    /// How a request is signed, where its service wants that.
    private func signature(for address: WebAddress, of content: [UInt8]? = nil) throws(Failure) -> AWSSignature? {
        guard let signer = access.signer, address.isOfSameService(as: access.start) else { return nil }
        return try signer.signature(settings, of: content) { access.authorizer.hide($0) }
    }

    private var accepted: String {
        if request.isObject { return "*/*" }
        return request.isTable
            ? "text/csv, text/tab-separated-values, */*;q=0.5"
            : "application/json, application/*+json, application/x-ndjson, */*;q=0.5"
    }

    /// Waits before the next try. Throws where there is none.
    ///
    /// - Parameter name: what was asked for.
    func waitForRetry(
        _ backoff: inout Backoff, _ reason: String, _ retryAfter: Double, of name: PageName
    ) throws(Failure) {
        let words = lastWords
        let said = words.map { ": \($0)" } ?? ""
        guard backoff.failures <= request.retries else {
            let tries = backoff.failures == 1 ? "" : " (tried \(backoff.failures) times)"
            throw Failure(.unavailable, cleaned("\(name) \(reason)\(said)\(tries)"))
        }
        guard retryAfter <= settings.longestRetryAfter else {
            let seconds = retryAfter < 1e9 ? "in \(Int(retryAfter)) seconds" : "after more than 30 years"
            throw Failure(
                .unavailable, cleaned("\(name) \(reason)\(said), and wants to be asked again \(seconds)"))
        }
        let seconds = backoff.delay(retryAfter: retryAfter)
        // What the service says holds for all who ask it.
        if retryAfter > 0 { access.pace.keepSilent(retryAfter) }
        let retry = Retry(
            name: name.address, page: name.number, reason: cleaned(reason), words: words, seconds: seconds,
            failures: backoff.failures, most: request.retries)
        access.session.wait(for: retry, retryAfter > 0 ? .service : .retry, stream.pause)
    }
}
