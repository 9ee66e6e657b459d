import CSluiceCurl
import SluiceRecords

/// What the end of a request means.
enum Verdict {
    /// The whole content has come.
    case complete
    /// Nobody wants it any more.
    case cancelled
    /// It makes sense to try again; why, after the name of the service, and the seconds that it asks for.
    case again(String, after: Double)
    case failed(Failure)

    /// The answers after which a service may do better.
    private static let temporary: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// One header, as libcurl takes it (`CURL_MAX_HTTP_HEADER`).
    private static let longestHeader = 100 << 10
    /// `CURLE_TOO_LARGE`, which older ones do not know.
    private static let tooLarge: UInt32 = 100

    /// - Parameter name: what was asked for.
    init(_ answer: Client.Answer, of name: PageName, _ client: Client) {
        let head = answer.exchange.head
        switch answer.exchange.stop {
        case .cancelled?: self = .cancelled
        case .silent?: self = .again("was silent for \(Verdict.shown(client.longestSilence)) seconds", after: 0)
        case .tooSlow?: self = .failed(Failure(.unavailable, "\(name) takes too long to send everything"))
        case .tooManyHeaders?:
            self = .failed(
                Failure(.unavailable, "\(name) sent more than \(client.settings.mostHeaderBytes) bytes of headers"))
        case .severalLengths?:
            self = .failed(
                Failure(.unavailable, "\(name) sent two lengths of its content (Content-Length) that differ"))
        case nil:
            let isContent = [200, 204, 206].contains(head.status)
            if head.isWhole, !isContent || answer.exchange.isComplete {
                self = Verdict(status: head.status, answer, name.number, client)
            } else {
                self = Verdict(code: answer.exchange.code ?? CURLE_OK, answer, name, client)
            }
        }
    }

    private init(status: Int, _ answer: Client.Answer, _ page: Int?, _ client: Client) {
        switch status {
        case 200, 204, 206: self = .complete
        case _ where answer.exchange.head.isRateLimit || Verdict.temporary.contains(status):
            self = .again("answered with status \(status)", after: answer.exchange.head.retryAfter)
        case 401, 403: self = .failed(client.refused(answer, .refused, page: page))
        case 404, 410: self = .failed(client.refused(answer, .missing, page: page))
        default: self = .failed(client.refused(answer, .unavailable, page: page))
        }
    }

    private init(code: CURLcode, _ answer: Client.Answer, _ name: PageName, _ client: Client) {
        let explanation = answer.exchange.explanation
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
            CURLE_OPERATION_TIMEDOUT:
            let target = answer.isRedirected ? "redirects to \(answer.address.shown), which " : ""
            self = .again("\(target)cannot be reached: \(explanation)", after: 0)
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            self = .again("broke off: \(explanation)", after: 0)
        // What libcurl says of a header that is longer than it takes.
        case CURLE_OUT_OF_MEMORY where !answer.exchange.head.isWhole, CURLcode(rawValue: Verdict.tooLarge):
            self = .failed(
                Failure(.unavailable, "\(name) sent a header of more than \(Verdict.longestHeader) bytes"))
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            self = .failed(Failure(.unavailable, client.cleaned("\(name) cannot be trusted: \(explanation)")))
        default: self = .failed(Failure(.unavailable, client.cleaned("\(name) cannot be read: \(explanation)")))
        }
    }

    /// Seconds, without a fraction that is none.
    private static func shown(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? String(Int(bounded: seconds)) : String(seconds)
    }
}
