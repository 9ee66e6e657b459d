import SluiceRecords

/// Makes requests that change what a bucket has, or ask for little: each as often as it takes.
final class ObjectRequests {
    private let client: Client
    /// Of an answer that says what became of a request.
    private static let longestAnswer = 16 << 20

    init(_ client: Client) { self.client = client }

    struct Answer {
        var head: ResponseHead
        var bytes: [UInt8]
        /// Whether an earlier request may have done it, without an answer.
        var wasRepeated: Bool
    }

    /// Sends a request until it is answered.
    ///
    /// - Parameters:
    ///   - name: what the request is about, for messages.
    ///   - accepts: statuses that are answers, beside those of success.
    /// - Throws: what a service refuses; `cancelled` where nobody wants it any more.
    func perform(
        _ method: String, _ address: WebAddress, of name: String, headers: [String] = [], content: [UInt8]? = nil,
        accepts: Set<Int> = []
    ) throws(Failure) -> Answer {
        var backoff = Backoff(client.settings)
        while true {
            guard let answer = try client.send(method, address, headers: headers, content: content) else {
                throw cancelled
            }
            let head = answer.exchange.head
            let isAnswer = (200..<300).contains(head.status) || accepts.contains(head.status)
            if answer.exchange.stop == nil, head.isWhole, isAnswer {
                let bytes = answer.exchange.beginning(ObjectRequests.longestAnswer)
                if answer.exchange.isComplete {
                    return Answer(head: head, bytes: bytes, wasRepeated: backoff.failures > 0)
                }
            }
            let (reason, seconds) = try reason(answer, name)
            backoff.fail(hasProgress: false)
            try client.waitForRetry(&backoff, reason, seconds, of: PageName(name))
        }
    }

    /// Why a request is made again; throws where it is not.
    private func reason(_ answer: Client.Answer, _ name: String) throws(Failure) -> (String, Double) {
        // Somebody else is writing the same object just now.
        if answer.exchange.stop == nil, answer.exchange.head.status == 409 { return ("answered with status 409", 0) }
        switch Verdict(answer, of: PageName(name), client) {
        case .again(let reason, let seconds): return (reason, seconds)
        case .failed(let failure): throw failure
        case .cancelled: throw cancelled
        case .complete: throw Failure(.unavailable, "\(name) answered with more than it should")
        }
    }

    private var cancelled: Failure { Failure(.cancelled, "the request was ended") }
}
