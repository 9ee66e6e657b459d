import SluiceExtract
import SluiceRecords

/// What comes of a page, or of a feed without pages: it is looked at, and handed over, every byte once. What comes
/// again must be the same.
@safe
final class PageContent {
    private let client: Client
    private let attempts: Attempts
    private let digest: SHA256
    private var scanners: [PageValueScanner]
    /// Of a feed without pages: looks for what leads to one.
    private var nextPage: NextPageScanner?
    private var beginning: [UInt8] = []
    /// All of it, where it is kept; nil: it is too long, or nothing is kept.
    private(set) var collected: [UInt8]?
    /// The bytes that come again; nil: none.
    private var skipping: Skip?
    /// Whether what was compressed has come damaged: it may have been handed over so.
    var wasDamaged = false

    private struct Skip {
        var rest: UInt64
        let expected: SHA256.Value
        let digest: SHA256
    }

    /// - Parameter paths: of the values that are looked for.
    init(_ client: Client, _ attempts: Attempts, paths: [[Path.Step]]) throws(Failure) {
        self.client = client
        self.attempts = attempts
        digest = try SHA256()
        scanners = paths.map { PageValueScanner($0) }
        let request = client.request
        if request.pages?.mayLoseWay != false, !request.isTable, !request.isArchive, !request.isObject {
            nextPage = NextPageScanner()
        }
        if client.access.session.answers != nil { collected = [] }
    }

    /// It comes from its beginning: what was handed over already comes again.
    func beginAgain() throws(Failure) {
        skipping = nil
        guard attempts.delivered > 0 else { return }
        skipping = Skip(rest: attempts.delivered, expected: try digest.value(), digest: try SHA256())
    }

    /// It is not to be kept: it was.
    func keepNothing() { collected = nil }

    /// Takes the next bytes that have come; false: nobody wants them.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
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

    /// Hands over bytes that have not come before.
    func deliver(_ bytes: [UInt8]) throws(Failure) -> Bool {
        if bytes.isEmpty { return true }
        let outcome = unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(Failure) in try unsafe deliver(bytes) }
        }
        return try outcome.get()
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Bool {
        if beginning.count < 16 {
            unsafe beginning += bytes.prefix(16 - beginning.count)
            if !client.request.isObject,
                let complaint = ContentCheck.complaint(
                    beginning: beginning, isTable: client.request.isTable, isArchive: client.request.isArchive)
            {
                throw wrong(complaint)
            }
        }
        guard client.access.budget.spend(bytes.count) else { throw tooLong() }
        unsafe digest.update(bytes)
        for index in scanners.indices { unsafe scanners[index].scan(bytes) }
        unsafe nextPage?.scan(bytes)
        attempts.delivered += UInt64(bytes.count)
        if let count = collected?.count {
            unsafe collected = count + bytes.count <= KeptAnswers.mostBytes ? (collected ?? []) + bytes : nil
        }
        return unsafe client.stream.write(bytes)
    }

    /// Looks at the end of what has come.
    func end() throws(Failure) {
        // It ends before all that was handed over has come again.
        if skipping != nil { throw changed() }
        for index in scanners.indices { scanners[index].finish() }
        guard attempts.delivered > 0, !scanners.isEmpty, isCompressed(beginning) else { return }
        throw Failure(
            .data,
            "\(attempts.name) answered with a compressed file, in which the way to the next page is not seen")
    }

    /// The page that has come.
    func page(_ head: ResponseHead, at address: WebAddress) throws(Failure) -> PageSequence.Page {
        PageSequence.Page(
            address: address, head: head, values: scanners.map(\.value), digest: try digest.value(),
            bytes: attempts.delivered, unasked: nextPage?.unasked)
    }

    // MARK: What is wrong

    private func changed() -> Failure {
        let reason = wasDamaged ? "sent damaged content" : "changed while it was downloaded"
        return Failure(
            .unavailable, "\(attempts.name) \(reason), and what had come of it is of no use: run again")
    }

    func wrong(_ complaint: String) -> Failure { Failure(.data, "\(attempts.name) \(complaint)") }

    func tooLong() -> Failure {
        Failure(.data, "\(client.name) sends more than \"maxBytes\" allows: \(client.request.maxBytes) bytes")
    }
}
