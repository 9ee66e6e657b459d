import SluiceExtract
import SluiceRecords

/// Downloads one page, or a feed without pages, however often the connection breaks off: every byte is handed over
/// once.
@safe
final class PageDownload {
    private let client: Client
    private let page: PageRequest
    private let version: WantedVersion
    private let mayBeMissing: Bool
    private let attempts: Attempts
    private let content: PageContent
    /// Through it all bytes go.
    private let buffer: UnsafeMutableRawBufferPointer

    private var head = ResponseHead()
    private var finalAddress: WebAddress
    /// Whether the content is wanted without any compression for the transfer.
    private var isPlain = false
    /// What is known of the answer, and must be asked for all the same.
    private var known: KeptAnswers.Found?

    /// How a download ended.
    enum Outcome {
        case page(PageSequence.Page)
        case notModified
        case cancelled
    }

    /// How an answer ended.
    private enum Step {
        case done(Outcome)
        /// All of it is wanted once more; another answer may have it already.
        case again(Client.Answer?)
    }

    /// - Parameters:
    ///   - mayBeMissing: one that is not found, or is empty, is a page that is null.
    ///   - paths: of the values that are looked for.
    init(
        _ client: Client, _ page: PageRequest, _ version: WantedVersion, mayBeMissing: Bool, paths: [[Path.Step]]
    ) throws(Failure) {
        self.client = client
        self.page = page
        self.version = version
        self.mayBeMissing = mayBeMissing
        attempts = Attempts(client, page.name)
        finalAddress = page.address
        unsafe buffer = .allocate(byteCount: 1 << 16, alignment: 16)
        content = try PageContent(client, attempts, paths: paths)
    }

    deinit { unsafe buffer.deallocate() }

    /// Downloads. Throws what cannot be mended by trying again.
    func perform() throws(Failure) -> Outcome {
        if let found = client.access.session.answers?.find(key) {
            if found.isGood, let outcome = try use(found) {
                if !found.isOwn { client.access.session.meter.countKept() }
                return outcome
            }
            if !found.isGood, page.body == nil { known = found }
        }
        var next: Client.Answer?
        while true {
            if next == nil { next = try ask() }
            guard let answer = next else { return .cancelled }
            switch try accept(answer) {
            case .done(let outcome): return outcome
            case .again(let answer): next = answer
            }
        }
    }

    /// What tells the request from others.
    private var key: String {
        fingerprint(of: [page.address.text, page.body?.text ?? "", client.access.headers])
    }

    private func ask() throws(Failure) -> Client.Answer? {
        // What broke off once is wanted as it is: parts of it can be had, and nothing of it is damaged by compression.
        isPlain = attempts.delivered > 0 || content.wasDamaged || client.request.isObject
        return try client.get(page, headers: conditionHeaders + versionHeaders, isPlain: isPlain)
    }

    private var versionHeaders: [String] { version.etag.map { ["If-Match: \($0)"] } ?? [] }

    private var conditionHeaders: [String] {
        attempts.delivered == 0 ? (version.known ?? known?.validators)?.headers ?? [] : []
    }

    // MARK: One answer

    private func accept(_ answer: Client.Answer) throws(Failure) -> Step {
        let head = answer.exchange.head
        switch head.status {
        case _ where answer.exchange.stop != nil: return try refuse(answer)
        case 200, 204:
            try start(answer)
            return try read(answer)
        case 206: throw Failure(.unavailable, "\(attempts.name) answered with a part, though all was asked for")
        case 304 where version.known != nil && attempts.delivered == 0: return .done(.notModified)
        case 304 where known != nil && attempts.delivered == 0: return try acceptUnchanged(answer)
        case 404 where client.request.isObject, 412 where version.etag != nil: throw replaced()
        case 404 where mayBeMissing, 410 where mayBeMissing:
            _ = answer.exchange.passOver()
            self.head = head
            finalAddress = answer.address
            client.stream.begin(with: .feed)
            return .done(.page(try finish()))
        case 401 where client.canRenewToken:
            client.renewToken()
            return .again(nil)
        default: return try refuse(answer)
        }
    }

    /// The service says that what is kept still holds.
    private func acceptUnchanged(_ answer: Client.Answer) throws(Failure) -> Step {
        _ = answer.exchange.passOver()
        client.markUsed()
        client.access.session.meter.countUnchanged()
        defer { known = nil }
        guard let known, let outcome = try use(known, answer.exchange.head) else { return .again(nil) }
        return .done(outcome)
    }

    /// Hands over what is kept; nil: it is damaged.
    private func use(_ found: KeptAnswers.Found, _ now: ResponseHead? = nil) throws(Failure) -> Outcome? {
        guard let bytes = client.access.session.answers?.use(found, now) else { return nil }
        content.keepNothing()
        // What the service says now replaces what it said then, such as where the next page is.
        head = (now.map(found.entry.answer.renewed) ?? found.entry.answer).head
        finalAddress = (try? WebAddress(found.entry.answer.address)) ?? page.address
        client.stream.begin(with: .feed)
        guard try content.deliver(bytes) else { return .cancelled }
        var page = try finish()
        if now == nil {
            page.keptAt = found.entry.answer.time
            page.isOfCache = found.isOfCache
        }
        return .page(page)
    }

    /// An answer that has nothing of the content.
    private func refuse(_ answer: Client.Answer) throws(Failure) -> Step {
        switch attempts.verdict(answer) {
        case .cancelled: return .done(.cancelled)
        case .failed(let failure): throw failure
        case .complete: return .again(nil)
        case .again(let reason, let seconds): try attempts.fail(reason, after: seconds)
        }
        return .again(nil)
    }

    /// Looks at the head of an answer that has the content.
    private func start(_ answer: Client.Answer) throws(Failure) {
        let head = answer.exchange.head
        client.markUsed()
        if head.status == 204 {
            if page.isFirst, !client.request.mayBeEmpty, !mayBeMissing { throw empty() }
        } else {
            if let etag = version.etag, let now = head["etag"], now != etag { throw replaced() }
            if !client.request.isObject,
                let complaint = ContentCheck.complaint(
                    type: head.contentType, isTable: client.request.isTable, isArchive: client.request.isArchive)
            {
                throw content.wrong(complaint + client.origin(of: answer))
            }
            if let length = head.contentLength, length > (head.codings.isEmpty ? budget : encodedBudget) {
                throw content.tooLong()
            }
        }
        self.head = head
        finalAddress = answer.address
        client.stream.begin(with: .feed)
        try content.beginAgain()
    }

    /// Compression makes what cannot be compressed a little larger.
    private var encodedBudget: UInt64 { budget < .max / 2 ? budget + budget / 64 + 1024 : budget }

    /// The bytes of this page that may come.
    private var budget: UInt64 { attempts.delivered + min(client.access.budget.rest, .max / 2) }

    private func codings() throws(Failure) -> [ContentCoding] {
        do throws(Failure) {
            return try head.contentCodings()
        } catch {
            throw Failure(error.kind, "\(attempts.name) \(error.message)")
        }
    }

    // MARK: The bytes

    private func read(_ answer: Client.Answer) throws(Failure) -> Step {
        let representation = Representation(
            answer, page, attempts, isPlain: isPlain, more: versionHeaders,
            isReplaced: { [version] in version.etag != nil && [404, 412].contains($0) ? self.replaced() : nil })
        let decoder = ContentDecoder(
            representation, try codings(), limit: encodedBudget, named: attempts.name.description)
        while true {
            let count: Int
            do throws(Failure) {
                count = try unsafe decoder.read(into: buffer)
                if count == 0, !representation.isWhole { try expectEnd(of: representation) }
            } catch {
                return try interrupted(representation, decoder, error)
            }
            guard count > 0 else { break }
            guard try unsafe content.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
                return .done(.cancelled)
            }
        }
        return .done(.page(try finish()))
    }

    /// What is compressed knows where it ends; nothing may follow it.
    private func expectEnd(of representation: Representation) throws(Failure) {
        guard try unsafe representation.read(into: buffer) > 0 else { return }
        throw Failure(.data, "\(attempts.name) goes on behind its end")
    }

    /// What it means that the content cannot be read on.
    private func interrupted(
        _ representation: Representation, _ decoder: ContentDecoder, _ failure: Failure
    ) throws(Failure) -> Step {
        switch representation.end {
        case .cancelled?: return .done(.cancelled)
        case .failed(let failure)?: throw failure
        case .restart(let answer)?: return .again(answer)
        case nil: break
        }
        if decoder.isTooLong { throw content.tooLong() }
        guard failure.kind == .data else { throw failure }
        content.wasDamaged = true
        // What was put together of parts is no evidence against a whole.
        if representation.isContinued { attempts.canContinue = false }
        let codings = head.codings.joined(separator: ", ")
        try attempts.fail(
            representation.isWhole
                ? "broke off: its compressed content (\(codings)) is damaged or cut short"
                : "sent compressed content (\(codings)) that is damaged")
        return .again(nil)
    }

    private func finish() throws(Failure) -> PageSequence.Page {
        let kept = content.collected
        // A page has a value, if only that there is none.
        if mayBeMissing, attempts.delivered == 0 { _ = try content.deliver(Array("null".utf8)) }
        if attempts.delivered == 0, page.isFirst, !client.request.mayBeEmpty { throw empty() }
        try content.end()
        if let kept {
            client.access.session.answers?.add(
                KeptAnswer(key: key, head: head, address: finalAddress, size: kept.count), kept)
        }
        return try content.page(head, at: finalAddress)
    }

    // MARK: What is wrong

    private func replaced() -> Failure {
        Failure(.data, "\(client.name) changed after the bucket was listed: run again, when all of it is there")
    }

    private func empty() -> Failure {
        Failure(.data, "\(attempts.name) answered with an empty body, which is not JSON")
    }
}
