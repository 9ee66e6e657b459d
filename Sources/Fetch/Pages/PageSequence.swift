import SluiceExtract
import SluiceRecords

/// What a feed's pages are asked for with, one after the other.
struct PageSequence {
    private let paging: Paging?
    private let client: Client
    private var addresses: PageAddresses
    /// How many pages there were.
    private var count = 0
    private var seenAddresses: Set<SHA256.Mark> = []
    private var seenPages: [SHA256.Mark: UInt32] = [:]
    /// What the last page says of the others.
    private(set) var note: PageNote?
    /// What led to the last page; nil: it was the first.
    private var lastWay: String?
    /// How many pages there were without records since the last one with some.
    private var emptyPages = 0

    /// So many pages without records are followed where each says that there is another.
    private static let mostPromised = 1000

    init(_ client: Client) {
        self.client = client
        paging = client.request.pages
        addresses = PageAddresses(client)
    }

    /// The paths to look for in a page.
    var paths: [[Path.Step]] { paging.map(PageReading.paths)?.map(\.steps) ?? [] }

    /// The last page, for messages.
    private var name: String { "page \(count) of \(client.name)" }

    /// The first page.
    mutating func first() throws(Failure) -> PageRequest {
        let address = try addresses.first()
        return request(address)
    }

    private func request(_ address: WebAddress) -> PageRequest {
        PageRequest(address: address, body: addresses.body, number: count == 0 ? nil : count + 1)
    }

    // MARK: What a page says

    /// Takes what a page says of the others, see ``note``.
    mutating func end(_ page: Page) throws(Failure) {
        count += 1
        guard let paging else {
            // Who asks for one page is to know that there are others.
            var note = PageNote()
            note.hasWay = PageSequence.hasNextLink(page)
            note.unasked = PageSequence.unasked(page)
            self.note = note.adding(page)
            return
        }
        let reading = PageReading(paging, of: page, named: name)
        emptyPages = reading.isEmpty ? emptyPages + 1 : 0
        let isNamed = note.map { $0.hasMore == true || $0.namesAnother } ?? false
        note = try facts(reading, page).adding(page)
        note?.isBlank = isNamed && page.bytes == 0 && page.head.status != 204
        lastWay = reading.writtenWay
    }

    private func facts(_ reading: PageReading, _ page: Page) throws(Failure) -> PageNote {
        let paging = reading.paging
        var note = PageNote()
        note.hasWay = reading.hasWay
        if let last = paging.last { note.isLastAllowed = count >= last - paging.first + 1 }
        note.total = try reading.total
        note.hasMore = try reading.hasMore
        let way = reading.writtenWay
        note.leadsBack = way != nil && way == lastWay
        let isNamed = way.map { !$0.isEmpty } ?? false
        note.namesAnother = isNamed && !note.leadsBack && note.hasMore == nil
        note.leadsOn = note.namesAnother && emptyPages <= PageNote.mostEmpty
        // Another way than the one that the source goes: that one has another name now, or never had this one.
        if !note.hasWay, note.hasMore == nil, paging.mayLoseWay {
            note.unasked = PageSequence.unasked(page).flatMap { $0.rank == 0 ? $0 : nil }
        }
        return note
    }

    private static func hasNextLink(_ page: Page) -> Bool {
        LinkHeader.target(of: Paging.nextRelation, in: page.head.all("link")) != nil
    }

    /// What a page says of others, for which nobody asks.
    private static func unasked(_ page: Page) -> UnaskedPages? {
        let own = hasNextLink(page) ? UnaskedPages(place: Paging.nextRelation) : UnaskedPages(page.head)
        return [own, page.unasked].compactMap { $0 }.min { $0.rank < $1.rank }
    }

    // MARK: The next page

    /// The page after one that has ended; nil: that was the last. Throws where the feed goes round, and
    /// where the way to the next page is none: a reader that finds no record in the page does not need it.
    mutating func next(after page: Page) throws(Failure) -> PageRequest? {
        guard let paging, let note, page.bytes > 0 else { return nil }
        let isEmpty = emptyPages > 0
        // Empty pages may well be alike.
        if let earlier = seenPages.updateValue(UInt32(clamping: count), forKey: page.digest.lowHalf), !isEmpty {
            throw Failure(.data, "\(name) is the same as page \(earlier): the service repeats itself")
        }
        if note.isLastAllowed || note.hasMore == false { return nil }
        // A page without records is the last, unless it says that there is another, or names one.
        if isEmpty, note.hasMore != true, !note.leadsOn { return nil }
        if emptyPages > PageSequence.mostPromised {
            throw Failure(
                .data,
                "\(grouped(emptyPages)) pages of \(client.name) in a row hold no record, and the last one, page \(count),"
                    + " says that there is another")
        }
        let posted = addresses.body
        let reading = PageReading(paging, of: page, named: name)
        guard let address = try addresses.next(after: page, reading, count: count) else {
            guard note.hasMore == true, let more = paging.more else { return nil }
            throw Failure(.data, "\(name) says at \(more) that there is another page, and does not say where")
        }
        guard try isNew(address), count > 1 || address != page.address || addresses.body != posted else {
            // What leads on from nothing may lead anywhere.
            if isEmpty, note.hasMore != true { return nil }
            throw Failure(.data, "\(name) leads back to a page before it: the service goes round")
        }
        return request(address)
    }

    /// Whether no page has led to an address yet.
    private mutating func isNew(_ address: WebAddress) throws(Failure) -> Bool {
        let digest = try SHA256()
        digest.update(address.text)
        if let body = addresses.body { digest.update("\n" + body.text) }
        return seenAddresses.insert(try digest.value().lowHalf).inserted
    }
}
