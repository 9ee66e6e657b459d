import SluiceRecords

/// The tries to download a page: how often it has failed, and how far it has come.
final class Attempts {
    let client: Client
    /// What is downloaded, for messages: with the number of its page.
    let name: String
    private let address: String
    /// Bytes of the feed that were handed over.
    var delivered: UInt64 = 0
    /// Whether the service can send the rest alone.
    var canContinue = true

    private var backoff: Backoff
    /// What was handed over by the last failure.
    private var mark: UInt64 = 0

    /// - Parameter address: without what may be secret.
    init(_ client: Client, _ address: String) {
        self.client = client
        self.address = address
        name = pageName(address, client.page)
        backoff = Backoff(client.settings)
    }

    /// What the end of a request means.
    func verdict(_ answer: Client.Answer) -> Verdict { Verdict(answer, of: name, client, page: client.page) }

    /// Notes a failure, and waits before the next try. Throws where there is none.
    ///
    /// - Parameter hasProgress: whether something has come that was not handed over.
    func fail(_ reason: String, after seconds: Double = 0, hasProgress: Bool = false) throws(Failure) {
        backoff.fail(hasProgress: hasProgress || delivered > mark)
        mark = delivered
        try client.waitForRetry(&backoff, reason, seconds, of: address, page: client.page)
    }
}
