import SluiceExtract
import SluiceRecords

/// The content of an answer as it is sent, perhaps compressed. Where it breaks off, the rest is asked for: a range of
/// these very bytes.
final class Representation: ByteSource {
    /// Why it cannot go on.
    enum End {
        case cancelled
        /// It must be read from its beginning: another answer may have it already.
        case restart(Client.Answer?)
        case failed(Failure)
    }

    private(set) var end: End?
    /// Whether all of it was read.
    private(set) var isWhole = false
    /// Whether some of it has come as a range.
    private(set) var isContinued = false

    private let page: PageRequest
    private let attempts: Attempts
    private let head: ResponseHead
    private let isPlain: Bool
    /// Headers that go along with each request.
    private let more: [String]
    /// What an answer with a status means, where it is that another version is there.
    private let isReplaced: (Int) -> Failure?
    private var answer: Client.Answer
    private var received: UInt64 = 0
    /// What had been received when the last answer began.
    private var begun: UInt64 = 0
    /// The length of the whole, where it is known.
    private var length: UInt64?

    /// - Parameters:
    ///   - page: what is asked for the rest.
    ///   - isPlain: whether the content is wanted as it is.
    ///   - more: headers that go along with each request.
    ///   - isReplaced: what a status means, where it is that another version is there.
    init(
        _ answer: Client.Answer, _ page: PageRequest, _ attempts: Attempts, isPlain: Bool, more: [String] = [],
        isReplaced: @escaping (Int) -> Failure? = { _ in nil }
    ) {
        self.more = more
        self.isReplaced = isReplaced
        self.answer = answer
        self.page = page
        self.attempts = attempts
        self.isPlain = isPlain
        head = answer.exchange.head
        length = head.contentLength
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while !isWhole {
            let count = unsafe answer.exchange.read(into: buffer)
            received += UInt64(count)
            if count > 0 { return count }
            do throws(Failure) {
                try acceptEnd()
            } catch {
                if end == nil { end = .failed(error) }
                throw error
            }
        }
        return 0
    }

    /// What the end of an answer means: all has come, or the rest is asked for.
    private func acceptEnd() throws(Failure) {
        let hasProgress = begun > 0 && received > begun
        switch attempts.verdict(answer) {
        case .complete:
            guard let length, received < length else {
                isWhole = true
                return
            }
            try attempts.fail("sent too little", hasProgress: hasProgress)
        case .again(let reason, let seconds): try attempts.fail(reason, after: seconds, hasProgress: hasProgress)
        case .cancelled: throw ended(.cancelled)
        case .failed(let failure): throw failure
        }
        try goOn()
    }

    /// Asks for the rest.
    private func goOn() throws(Failure) {
        while true {
            guard attempts.canContinue, received > 0, let condition = head.rangeGuard else {
                throw ended(.restart(nil))
            }
            let headers = ["Range: bytes=\(received)-", "If-Range: \(condition)"] + more
            guard let next = try attempts.client.get(page, headers: headers, isPlain: isPlain) else {
                throw ended(.cancelled)
            }
            switch next.exchange.head.status {
            case 206 where fits(next.exchange.head):
                (answer, begun, isContinued) = (next, received, true)
                return
            case 206, 416:
                attempts.canContinue = false
                throw ended(.restart(nil))
            case 200, 204: throw ended(.restart(next))
            case 401 where attempts.client.canRenewToken: attempts.client.renewToken()
            default: try refuse(next)
            }
        }
    }

    /// An answer that has nothing of the content.
    private func refuse(_ answer: Client.Answer) throws(Failure) {
        if let failure = isReplaced(answer.exchange.head.status) { throw failure }
        switch attempts.verdict(answer) {
        case .cancelled: throw ended(.cancelled)
        case .failed(let failure): throw failure
        case .complete: throw ended(.restart(nil))
        case .again(let reason, let seconds): try attempts.fail(reason, after: seconds)
        }
    }

    /// Whether a part is the rest of what was begun.
    private func fits(_ part: ResponseHead) -> Bool {
        // A service may leave out what was said before (RFC 9110, section 15.3.7).
        guard part.codings.isEmpty || part.codings == head.codings else { return false }
        guard let range = part.range, range.start == received else { return false }
        // Parts are put together only where their versions are known to be one (RFC 9110, section 15.3.7.3).
        if let known = head["etag"], part["etag"] != known { return false }
        if let length, let whole = range.whole, length != whole { return false }
        length = range.whole ?? length
        return true
    }

    /// Notes why it cannot go on; what is thrown only leads out of here.
    private func ended(_ end: End) -> Failure {
        self.end = end
        return Failure(.unavailable, "\(attempts.name) broke off")
    }
}
