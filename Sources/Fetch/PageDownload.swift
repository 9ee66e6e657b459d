import Extract
import Records

/// Downloads one page, or a feed without pages, however often the connection breaks off: every byte is handed over
/// once.
final class PageDownload {
    private let client: Client
    private let address: WebAddress
    private let conditions: Validators?
    private let isFirst: Bool
    private let budget: UInt64
    private let digest: Digest
    private var scanner: MemberScanner?

    /// Bytes handed over.
    private(set) var delivered: UInt64 = 0
    private var beginning: [UInt8] = []
    private var head = ResponseHead()
    private var finalAddress: WebAddress
    /// The length of the whole, where it is known.
    private var length: UInt64?
    /// Whether the rest can be asked for alone.
    private var canContinue = true
    /// Whether that is what was asked for last.
    private var isContinuing = false
    /// Whether the service can send the content without compressing it for the transfer.
    private var canBePlain = true
    /// Whether that is what was asked for last.
    private var isPlain = false
    /// The bytes that come again, and must be the same; nil: none.
    private var skipping: Skip?

    private struct Skip {
        var rest: UInt64
        let expected: Digest.Value
        let digest: Digest
    }

    /// How a download ended.
    enum Outcome {
        case page(PageSequence.Page)
        case notModified
        case cancelled
    }

    /// - Parameters:
    ///   - conditions: the content is only wanted if it is another one.
    ///   - budget: the bytes that may come, at the most.
    ///   - path: of the value that is looked for.
    init(
        _ client: Client, _ address: WebAddress, conditions: Validators?, isFirst: Bool, budget: UInt64,
        path: [Path.Step]?
    ) throws(Failure) {
        self.client = client
        self.address = address
        self.conditions = conditions
        self.isFirst = isFirst
        self.budget = budget
        finalAddress = address
        digest = try Digest()
        scanner = path.map { MemberScanner($0) }
    }

    /// Downloads. Throws what cannot be mended by trying again.
    func perform() throws(Failure) -> Outcome {
        var backoff = Backoff(client.settings)
        while true {
            let before = delivered
            guard let answer = try attempt() else { return .cancelled }
            let status = answer.exchange.head.status
            if status == 304, conditions != nil, answer.exchange.isComplete(answer.code) { return .notModified }
            if status == 401, client.authorizer.canRenew {
                client.authorizer.renew()
                continue
            }
            if isContinuing, status == 416 { canContinue = false }
            // The service cannot give just the rest, or not as it is: all of it, then, as it likes.
            if isContinuing && !canContinue || isPlain && !canBePlain { continue }
            switch Verdict(answer, of: address.shown, client) {
            case .cancelled: return .cancelled
            case .failed(let failure): throw failure
            case .again(let reason, let after):
                backoff.fail(hasProgress: delivered > before)
                try client.waitForRetry(&backoff, reason, after, of: address.shown)
            case .complete:
                if skipping != nil { throw changed() }
                guard let length, delivered < length else { return .page(try finish()) }
                backoff.fail(hasProgress: delivered > before)
                try client.waitForRetry(&backoff, "sent too little", 0, of: address.shown)
            }
        }
    }

    // MARK: One request

    private func attempt() throws(Failure) -> Client.Answer? {
        let condition = delivered > 0 && canContinue ? head.rangeGuard : nil
        var headers: [String] = []
        if let condition { headers += ["Range: bytes=\(delivered)-", "If-Range: \(condition)"] }
        if delivered == 0, let conditions {
            if let etag = conditions.etag { headers.append("If-None-Match: \(etag)") }
            if let moment = conditions.lastModified { headers.append("If-Modified-Since: \(moment)") }
        }
        skipping = nil
        isContinuing = condition != nil
        // What is compressed for the transfer cannot be continued: from the second try on it is wanted as it is.
        isPlain = delivered > 0 && canBePlain
        let answer = try client.get(address, headers: headers, isPlain: isPlain) { exchange in
            exchange.decide = { [self] head throws(Failure) in try decide(head) }
            unsafe exchange.receive = { [self] bytes throws(Failure) in try unsafe receive(bytes) }
        }
        if let answer, answer.exchange.head.status < 300 {
            finalAddress = answer.address
            client.authorizer.noteUse()
        }
        return answer
    }

    /// Looks at the head of an answer.
    private func decide(_ head: ResponseHead) throws(Failure) -> Exchange.Use {
        switch head.status {
        case 200 where isPlain && !head.isIdentity:
            (canBePlain, canContinue) = (false, false)
            return .keep(0)
        case 200: try start(head)
        case 206 where isContinuing:
            guard canGoOn(with: head) else {
                canContinue = false
                return .keep(0)
            }
        case 206:
            throw Failure(.unavailable, "\(address.shown) answered with a part, though all was asked for")
        case 204 where isFirst && !client.request.mayBeEmpty: throw empty()
        default: return .keep(2 << 10)
        }
        return .hand
    }

    private func start(_ head: ResponseHead) throws(Failure) {
        if let complaint = ContentCheck.complaint(type: head.contentType) { throw wrongContent(complaint) }
        if let length = head.contentLength, length > budget { throw tooLong() }
        self.head = head
        length = head.isIdentity ? head.contentLength : nil
        client.stream.note(.feed)
        guard delivered > 0 else { return }
        skipping = Skip(rest: delivered, expected: digest.value, digest: try Digest())
    }

    /// Whether a part is the rest of what was begun.
    private func canGoOn(with head: ResponseHead) -> Bool {
        guard head.isIdentity, let range = head.range, range.start == delivered else { return false }
        if let etag = head["etag"], let known = self.head["etag"], etag != known { return false }
        if let length, let whole = range.whole, length != whole { return false }
        length = range.whole ?? length
        return true
    }

    // MARK: The bytes

    private func receive(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
        var bytes = unsafe bytes
        if let skip = skipping {
            let count = Int(min(skip.rest, UInt64(bytes.count)))
            unsafe skip.digest.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            skipping?.rest -= UInt64(count)
            guard skip.rest == UInt64(count) else { return true }
            // All of them are here again.
            guard skip.digest.value == skip.expected else { throw changed() }
            skipping = nil
            unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
        }
        if unsafe bytes.isEmpty { return true }
        return try unsafe deliver(bytes)
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
        if beginning.count < 16 {
            unsafe beginning += bytes.prefix(16 - beginning.count)
            if let complaint = ContentCheck.complaint(beginning: beginning) { throw wrongContent(complaint) }
        }
        guard delivered + UInt64(bytes.count) <= budget else { throw tooLong() }
        unsafe digest.update(bytes)
        unsafe scanner?.scan(bytes)
        delivered += UInt64(bytes.count)
        return unsafe client.stream.write(bytes)
    }

    private func finish() throws(Failure) -> PageSequence.Page {
        scanner?.finish()
        if delivered == 0 {
            if isFirst, !client.request.mayBeEmpty { throw empty() }
        } else if scanner != nil, isCompressed(beginning) {
            throw Failure(
                .data, "\(address.shown) answered with a compressed file, in which the way to the next page is not seen"
            )
        }
        return PageSequence.Page(
            address: finalAddress, head: head, value: scanner?.value ?? .absent, digest: digest.value, bytes: delivered)
    }

    // MARK: What is wrong

    private func changed() -> Failure {
        Failure(
            .unavailable,
            "\(address.shown) changed while it was downloaded, and what had come of it is of no use: run again")
    }

    private func empty() -> Failure {
        Failure(.data, "\(address.shown) answered with an empty body, which is not JSON")
    }

    private func wrongContent(_ complaint: String) -> Failure { Failure(.data, "\(address.shown) \(complaint)") }

    private func tooLong() -> Failure {
        Failure(.data, "\(client.name) sends more than \"maxBytes\" allows: \(client.request.maxBytes) bytes")
    }
}
