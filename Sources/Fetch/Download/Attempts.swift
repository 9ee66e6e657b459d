import SluiceRecords

/// The tries to download a page: how often it has failed, and how far it has come.
final class Attempts {
    let client: Client
    /// What is downloaded, for messages.
    let name: PageName
    /// Bytes of the feed that were handed over.
    var delivered: UInt64 = 0
    /// Whether the service can send the rest alone.
    var canContinue = true

    private var backoff: Backoff
    /// What was handed over by the last failure.
    private var mark: UInt64 = 0

    init(_ client: Client, _ name: PageName) {
        self.client = client
        self.name = name
        backoff = Backoff(client.settings)
    }

    /// What the end of a request means.
    func verdict(_ answer: Client.Answer) -> Verdict { Verdict(answer, of: name, client) }

    /// Notes a failure, and waits before the next try. Throws where there is none.
    ///
    /// - Parameter hasProgress: whether something has come that was not handed over.
    func fail(_ reason: String, after seconds: Double = 0, hasProgress: Bool = false) throws(Failure) {
        backoff.fail(hasProgress: hasProgress || delivered > mark)
        mark = delivered
        try client.waitForRetry(&backoff, reason, seconds, of: name)
    }
}
