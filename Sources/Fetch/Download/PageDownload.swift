import SluiceExtract
import SluiceRecords

/// Downloads one page, or a feed without pages, however often the connection breaks off: every byte is handed over
/// once.
@safe
final class PageDownload {
    private let client: Client
    private let address: WebAddress
    private let conditions: Validators?
    private let isFirst: Bool
    private let mayBeMissing: Bool
    /// The version that is wanted; nil: whichever is there.
    private let etag: String?
    private let digest: SHA256
    private var scanners: [MemberScanner]
    private let attempts: Attempts
    /// Through it all bytes go.
    private let buffer: UnsafeMutableRawBufferPointer

    private var beginning: [UInt8] = []
    private var head = ResponseHead()
    private var finalAddress: WebAddress
    /// Whether the content is wanted without any compression for the transfer.
    private var isPlain = false
    /// Whether what was compressed has come damaged: it may have been handed over so.
    private var wasDamaged = false
    /// What is known of the answer, and must be asked for all the same.
    private var known: KeptAnswers.Found?
    /// The content that is kept; nil: it is too long, or nothing is kept.
    private var collected: [UInt8]?
    /// The bytes that come again, and must be the same; nil: none.
    private var skipping: Skip?

    private struct Skip {
        var rest: UInt64
        let expected: SHA256.Value
        let digest: SHA256
    }

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
    ///   - conditions: the content is only wanted if it is another one.
    ///   - mayBeMissing: one that is not found, or is empty, is a page that is null.
    ///   - paths: of the values that are looked for.
    ///   - etag: the version that is wanted.
    init(
        _ client: Client, _ address: WebAddress, conditions: Validators?, isFirst: Bool,
        mayBeMissing: Bool, paths: [[Path.Step]], etag: String? = nil
    ) throws(Failure) {
        self.etag = etag
        self.client = client
        self.address = address
        self.conditions = conditions
        self.isFirst = isFirst
        self.mayBeMissing = mayBeMissing
        attempts = Attempts(client, address.shown)
        finalAddress = address
        unsafe buffer = .allocate(byteCount: 1 << 16, alignment: 16)
        digest = try SHA256()
        scanners = paths.map { MemberScanner($0) }
        if client.access.answers != nil { collected = [] }
    }

    deinit { unsafe buffer.deallocate() }

    /// Downloads. Throws what cannot be mended by trying again.
    func perform() throws(Failure) -> Outcome {
        if let found = client.access.answers?.find(key) {
            if found.isGood, let outcome = try take(found) {
                if !found.isOwn { client.access.meter.noteKept() }
                return outcome
            }
            if !found.isGood, client.body == nil { known = found }
        }
        var next: Client.Answer?
        while true {
            if next == nil { next = try ask() }
            guard let answer = next else { return .cancelled }
            switch try take(answer) {
            case .done(let outcome): return outcome
            case .again(let answer): next = answer
            }
        }
    }

    /// What tells the request from others.
    private var key: String {
        fingerprint(of: [address.text, client.body?.text ?? "", client.access.headers])
    }

    private func ask() throws(Failure) -> Client.Answer? {
        // What broke off once is wanted as it is: parts of it can be had, and nothing of it is damaged by compression.
        isPlain = attempts.delivered > 0 || wasDamaged || client.request.isObject
        return try client.get(address, headers: conditionHeaders + versionHeaders, isPlain: isPlain)
    }

    private var versionHeaders: [String] { etag.map { ["If-Match: \($0)"] } ?? [] }

    private var conditionHeaders: [String] {
        guard attempts.delivered == 0, let conditions = conditions ?? known?.validators else { return [] }
        return (conditions.etag.map { ["If-None-Match: \($0)"] } ?? [])
            + (conditions.lastModified.map { ["If-Modified-Since: \($0)"] } ?? [])
    }

    // MARK: One answer

    private func take(_ answer: Client.Answer) throws(Failure) -> Step {
        let head = answer.exchange.head
        switch head.status {
        case _ where answer.exchange.stop != nil: return try refuse(answer)
        case 200, 204:
            try start(answer)
            return try read(answer)
        case 206: throw Failure(.unavailable, "\(address.shown) answered with a part, though all was asked for")
        case 304 where conditions != nil && attempts.delivered == 0: return .done(.notModified)
        case 304 where known != nil && attempts.delivered == 0: return try takeUnchanged(answer)
        case 404 where client.request.isObject, 412 where etag != nil: throw replaced()
        case 404 where mayBeMissing, 410 where mayBeMissing:
            _ = answer.exchange.passOver()
            self.head = head
            finalAddress = answer.address
            client.stream.note(.feed)
            return .done(.page(try finish()))
        case 401 where client.canRenewToken:
            client.renewToken()
            return .again(nil)
        default: return try refuse(answer)
        }
    }

    /// The service says that what is kept still holds.
    private func takeUnchanged(_ answer: Client.Answer) throws(Failure) -> Step {
        _ = answer.exchange.passOver()
        client.noteUse()
        client.access.meter.noteUnchanged()
        defer { known = nil }
        guard let known, let outcome = try take(known, answer.exchange.head) else { return .again(nil) }
        return .done(outcome)
    }

    /// Hands over what is kept; nil: it is damaged.
    private func take(_ found: KeptAnswers.Found, _ now: ResponseHead? = nil) throws(Failure) -> Outcome? {
        guard let content = client.access.answers?.use(found, now) else { return nil }
        collected = nil
        head = found.entry.answer.head
        finalAddress = (try? WebAddress(found.entry.answer.address)) ?? address
        client.stream.note(.feed)
        if !content.isEmpty {
            let outcome = unsafe content.withUnsafeBytes { bytes in
                Result { () throws(Failure) in try unsafe deliver(bytes) }
            }
            guard try outcome.get() else { return .cancelled }
        }
        return .page(try finish())
    }

    /// An answer that has nothing of the content.
    private func refuse(_ answer: Client.Answer) throws(Failure) -> Step {
        switch Verdict(answer, of: address.shown, client) {
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
        client.noteUse()
        if head.status == 204 {
            if isFirst, !client.request.mayBeEmpty, !mayBeMissing { throw empty() }
        } else {
            if let etag, let now = head["etag"], now != etag { throw replaced() }
            if !client.request.isObject,
                let complaint = ContentCheck.complaint(
                    type: head.contentType, isTable: client.request.isTable, isArchive: client.request.isArchive)
            {
                throw wrongContent(complaint)
            }
            if let length = head.contentLength, length > (head.codings.isEmpty ? budget : encodedBudget) {
                throw tooLong()
            }
        }
        self.head = head
        finalAddress = answer.address
        client.stream.note(.feed)
        skipping = nil
        guard attempts.delivered > 0 else { return }
        skipping = Skip(rest: attempts.delivered, expected: try digest.value(), digest: try SHA256())
    }

    /// Compression makes what cannot be compressed a little larger.
    private var encodedBudget: UInt64 { budget < .max / 2 ? budget + budget / 64 + 1024 : budget }

    /// The bytes of this page that may come.
    private var budget: UInt64 { attempts.delivered + min(client.access.budget.rest, .max / 2) }

    private func codings() throws(Failure) -> [ContentCoding] {
        do throws(Failure) {
            return try head.contentCodings()
        } catch {
            throw Failure(error.kind, "\(address.shown) \(error.message)")
        }
    }

    // MARK: The bytes

    private func read(_ answer: Client.Answer) throws(Failure) -> Step {
        let representation = Representation(
            answer, address, attempts, isPlain: isPlain, more: versionHeaders,
            isReplaced: { [etag] in etag != nil && [404, 412].contains($0) ? self.replaced() : nil })
        let content = ContentDecoder(representation, try codings(), limit: encodedBudget, named: address.shown)
        while true {
            let count: Int
            do throws(Failure) {
                count = try unsafe content.read(into: buffer)
                if count == 0, !representation.isWhole { try expectEnd(of: representation) }
            } catch {
                return try interrupted(representation, content, error)
            }
            guard count > 0 else { break }
            guard try unsafe receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
                return .done(.cancelled)
            }
        }
        if skipping != nil { throw changed() }
        return .done(.page(try finish()))
    }

    /// What is compressed knows where it ends; nothing may follow it.
    private func expectEnd(of representation: Representation) throws(Failure) {
        guard try unsafe representation.read(into: buffer) > 0 else { return }
        throw Failure(.data, "\(address.shown) goes on behind its end")
    }

    /// What it means that the content cannot be read on.
    private func interrupted(
        _ representation: Representation, _ content: ContentDecoder, _ failure: Failure
    ) throws(Failure) -> Step {
        switch representation.end {
        case .cancelled?: return .done(.cancelled)
        case .failed(let failure)?: throw failure
        case .restart(let answer)?: return .again(answer)
        case nil: break
        }
        if content.isTooLong { throw tooLong() }
        guard failure.kind == .data else { throw failure }
        wasDamaged = true
        // What was put together of parts is no evidence against a whole.
        if representation.isContinued { attempts.canContinue = false }
        let codings = head.codings.joined(separator: ", ")
        try attempts.fail(
            representation.isWhole
                ? "broke off: its compressed content (\(codings)) is damaged or cut short"
                : "sent compressed content (\(codings)) that is damaged")
        return .again(nil)
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
        var bytes = unsafe bytes
        if let skip = skipping {
            let count = Int(min(skip.rest, UInt64(bytes.count)))
            unsafe skip.digest.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            skipping?.rest -= UInt64(count)
            guard skip.rest == UInt64(count) else { return true }
            // All of them are here again.
            guard try skip.digest.value() == skip.expected else { throw changed() }
            skipping = nil
            unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
        }
        if unsafe bytes.isEmpty { return true }
        return try unsafe deliver(bytes)
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
        if beginning.count < 16 {
            unsafe beginning += bytes.prefix(16 - beginning.count)
            if !client.request.isObject,
                let complaint = ContentCheck.complaint(
                    beginning: beginning, isTable: client.request.isTable, isArchive: client.request.isArchive)
            {
                throw wrongContent(complaint)
            }
        }
        guard client.access.budget.take(bytes.count) else { throw tooLong() }
        unsafe digest.update(bytes)
        for index in scanners.indices { unsafe scanners[index].scan(bytes) }
        attempts.delivered += UInt64(bytes.count)
        if let count = collected?.count {
            unsafe collected = count + bytes.count <= KeptAnswers.mostBytes ? (collected ?? []) + bytes : nil
        }
        return unsafe client.stream.write(bytes)
    }

    private func finish() throws(Failure) -> PageSequence.Page {
        for index in scanners.indices { scanners[index].finish() }
        let collected = collected
        // A page has a value, if only that there is none.
        if mayBeMissing, attempts.delivered == 0 {
            let outcome = unsafe Array("null".utf8).withUnsafeBytes { bytes in
                Result { () throws(Failure) in try unsafe deliver(bytes) }
            }
            _ = try outcome.get()
        }
        if attempts.delivered == 0 {
            if isFirst, !client.request.mayBeEmpty { throw empty() }
        } else if !scanners.isEmpty, isCompressed(beginning) {
            throw Failure(
                .data, "\(address.shown) answered with a compressed file, in which the way to the next page is not seen"
            )
        }
        if let collected {
            client.access.answers?.add(
                KeptAnswer(key: key, head: head, address: finalAddress, size: collected.count), collected)
        }
        return PageSequence.Page(
            address: finalAddress, head: head, values: scanners.map(\.value), digest: try digest.value(),
            bytes: attempts.delivered)
    }

    // MARK: What is wrong

    private func changed() -> Failure {
        let reason = wasDamaged ? "sent damaged content" : "changed while it was downloaded"
        return Failure(
            .unavailable, "\(address.shown) \(reason), and what had come of it is of no use: run again")
    }

    private func replaced() -> Failure {
        Failure(.data, "\(client.name) changed after the bucket was listed: run again, when all of it is there")
    }

    private func empty() -> Failure {
        Failure(.data, "\(address.shown) answered with an empty body, which is not JSON")
    }

    private func wrongContent(_ complaint: String) -> Failure { Failure(.data, "\(address.shown) \(complaint)") }

    private func tooLong() -> Failure {
        Failure(.data, "\(client.name) sends more than \"maxBytes\" allows: \(client.request.maxBytes) bytes")
    }
}
