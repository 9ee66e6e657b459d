import SluiceExtract
import SluiceRecords

/// What a feed's pages are asked for with, one after the other.
struct PageSequence {
    private let paging: Paging?
    private let client: Client
    /// What is posted for the next page.
    private var body: RequestBody?
    /// How many pages there were.
    private(set) var count = 0
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
        body = client.start.body
    }

    /// The paths to look for in a page: of the way to the next one, of the number of all records, and of whether there
    /// is another page.
    var paths: [[Path.Step]] { wanted.map(\.steps) }

    private var wanted: [Path] {
        [wayPath, paging?.total, paging?.more].compactMap { $0 } + (paging?.places ?? [])
    }

    /// Whether a page has a list at a place of records, and nothing in any: the reader will find no record in it.
    private func isEmpty(_ page: Page, _ paging: Paging) -> Bool {
        let values = paging.places.map { value(at: $0, in: page) }
        return values.contains { $0 == .list(isEmpty: true) }
            && values.allSatisfy { [.absent, .null, .list(isEmpty: true), .object(isEmpty: true)].contains($0) }
    }

    /// What a page has at a path that was looked for.
    private func value(at path: Path?, in page: Page) -> MemberScanner.Value {
        guard let index = wanted.firstIndex(where: { $0 == path }), index < page.values.count else { return .absent }
        return page.values[index]
    }

    private var wayPath: Path? {
        switch paging?.style {
        case .next(let path)?, .cursor(let path, _)?: path
        default: nil
        }
    }

    /// What is at the path of the way to the next page.
    private func way(in page: Page) -> MemberScanner.Value { value(at: wayPath, in: page) }

    /// The way to the next page as a text; nil: there is none, or it is not such a text.
    private func writtenWay(in page: Page, _ paging: Paging) -> String? {
        if case .link(let relation) = paging.style {
            return LinkHeader.target(of: relation, in: page.head.all("link"))
        }
        switch way(in: page) {
        case .text(let text), .number(let text): return text
        case .absent, .null, .boolean, .list, .object, .tooLong, .broken: return nil
        }
    }

    private func facts(of page: Page, _ paging: Paging) throws(Failure) -> PageNote {
        var note = PageNote()
        if case .link(let relation) = paging.style {
            note.hasWay = LinkHeader.target(of: relation, in: page.head.all("link")) != nil
        } else {
            note.hasWay = way(in: page) != .absent
        }
        if let last = paging.last { note.isLastAllowed = count >= last - first(of: paging) + 1 }
        if let path = paging.total { note.total = try total(value(at: path, in: page), path) }
        if let path = paging.more {
            note.hasMore = try isMore(value(at: path, in: page), path).map { $0 != paging.moreIsEnd }
        }
        let way = writtenWay(in: page, paging)
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

    /// Whether a page says that there is another one; nil: it does not say.
    private func isMore(_ value: MemberScanner.Value, _ path: Path) throws(Failure) -> Bool? {
        switch value {
        case .absent, .null: return nil
        case .boolean(let isMore): return isMore
        case .number(let text): if let number = Double(text) { return number > 0 }
        case .text(let text):
            switch text.lowercased() {
            case "true", "yes", "y", "1": return true
            case "false", "no", "n", "0", "": return false
            default: break
            }
        case .list, .object, .tooLong, .broken: break
        }
        throw Failure(
            .data, "page \(count) of \(client.name): \(path) does not say whether there is another page: true or false")
    }

    /// The number of all records, as a page says it.
    private func total(_ value: MemberScanner.Value, _ path: Path) throws(Failure) -> UInt64? {
        switch value {
        case .absent, .null, .boolean(false): return nil
        case .text(let text), .number(let text):
            if let number = Double(text), let count = UInt64(exactly: number) { return count }
        case .boolean(true), .list, .object, .tooLong, .broken: break
        }
        throw Failure(.data, "page \(count) of \(client.name): \(path) is no number of records")
    }

    /// The first page.
    mutating func first() throws(Failure) -> PageRequest {
        let address = try numbered(0)
        return request(address)
    }

    private func request(_ address: WebAddress) -> PageRequest {
        PageRequest(address: address, body: body, number: count == 0 ? nil : count + 1)
    }

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
        emptyPages = isEmpty(page, paging) ? emptyPages + 1 : 0
        let isNamed = note.map { $0.hasMore == true || $0.namesAnother } ?? false
        note = try facts(of: page, paging).adding(page)
        note?.isBlank = isNamed && page.bytes == 0 && page.head.status != 204
        lastWay = writtenWay(in: page, paging)
    }

    private static func hasNextLink(_ page: Page) -> Bool {
        LinkHeader.target(of: Paging.nextRelation, in: page.head.all("link")) != nil
    }

    /// What a page says of others, for which nobody asks.
    private static func unasked(_ page: Page) -> UnaskedPages? {
        let own = hasNextLink(page) ? UnaskedPages(place: Paging.nextRelation) : UnaskedPages(page.head)
        return [own, page.unasked].compactMap { $0 }.min { $0.rank < $1.rank }
    }

    /// The page after one that has ended; nil: that was the last. Throws where the feed goes round, and
    /// where the way to the next page is none: a reader that finds no record in the page does not need it.
    mutating func next(after page: Page) throws(Failure) -> PageRequest? {
        guard let paging else { return nil }
        guard page.bytes > 0 else { return nil }
        let isEmpty = emptyPages > 0
        // Empty pages may well be alike.
        if let earlier = seenPages.updateValue(UInt32(clamping: count), forKey: page.digest.lowHalf), !isEmpty {
            throw Failure(
                .data, "page \(count) of \(client.name) is the same as page \(earlier): the service repeats itself")
        }
        if note?.isLastAllowed == true || note?.hasMore == false { return nil }
        if note?.hasMore != true, isEmpty, note?.leadsOn != true { return nil }
        if emptyPages > PageSequence.mostPromised {
            throw Failure(
                .data,
                "\(grouped(emptyPages)) pages of \(client.name) in a row hold no record, and the last one, page \(count),"
                    + " says that there is another")
        }
        let posted = body
        guard let address = try successor(of: page, paging) else {
            guard note?.hasMore == true, let more = paging.more else { return nil }
            throw Failure(
                .data,
                "page \(count) of \(client.name) says at \(more) that there is another page, and does not say where")
        }
        guard try isNew(address), count > 1 || address != page.address || body != posted else {
            // What leads on from nothing may lead anywhere.
            if isEmpty, note?.hasMore != true { return nil }
            throw Failure(
                .data, "page \(count) of \(client.name) leads back to a page before it: the service goes round")
        }
        return request(address)
    }

    /// Whether no page has led to an address yet.
    private mutating func isNew(_ address: WebAddress) throws(Failure) -> Bool {
        let digest = try SHA256()
        digest.update(address.text)
        if let body { digest.update("\n" + body.text) }
        return seenAddresses.insert(try digest.value().lowHalf).inserted
    }

    /// The number of the first page.
    private func first(of paging: Paging) -> Int {
        if case .number(_, let first) = paging.style { return first }
        return 1
    }

    private mutating func successor(of page: Page, _ paging: Paging) throws(Failure) -> WebAddress? {
        switch paging.style {
        case .number, .offset: return try numbered(count)
        case .link(let relation):
            let target = LinkHeader.target(of: relation, in: page.head.all("link"))
            return try target.map { target throws(Failure) in try linked(target, page) }
        case .next:
            let target = try text(way(in: page), "the address of the next page") ?? ""
            return target.isEmpty ? nil : try linked(target, page)
        case .cursor(_, let parameter):
            let cursor = try text(way(in: page), "the next page's cursor") ?? ""
            return cursor.isEmpty ? nil : try adding([(parameter, .scalar(JSONText.quoted(cursor)), cursor)])
        }
    }

    private mutating func numbered(_ index: Int) throws(Failure) -> WebAddress {
        switch paging?.style {
        case .number(let parameter, let first)?: return try adding([number(parameter, first + index)])
        case .offset(let parameter, let limit, let size)?:
            return try adding([number(parameter, index * size), number(limit, size)])
        default: return client.start.address
        }
    }

    private func number(_ parameter: String, _ value: Int) -> Parameter {
        (parameter, .scalar(String(value)), String(value))
    }

    /// A parameter, and its value as it is in a body and in the query.
    private typealias Parameter = (name: String, json: RequestBody, value: String)

    /// The first page's address, and its body, with other parameters.
    private mutating func adding(_ parameters: [Parameter]) throws(Failure) -> WebAddress {
        var query: [(name: String, value: String)] = []
        for parameter in parameters {
            if let path = PageParameter(parameter.name).path {
                body = body?.setting(path, to: parameter.json)
            } else {
                query.append((parameter.name, parameter.value))
            }
        }
        do throws(AddressError) {
            return try client.start.address.adding(query)
        } catch {
            throw Failure(.data, "page \(count + 1) of \(client.name): its address \(error.message)")
        }
    }

    private func linked(_ target: String, _ page: Page) throws(Failure) -> WebAddress {
        do throws(AddressError) {
            return try client.follow(target, from: page.address)
        } catch {
            throw Failure(.data, "page \(count) of \(client.name) leads to an address that \(error.message)")
        }
    }

    /// A value as a text; nil: there is none.
    private func text(_ value: MemberScanner.Value, _ what: String) throws(Failure) -> String? {
        switch value {
        case .absent, .null, .boolean(false): return nil
        case .text(let text), .number(let text): return text
        case .boolean(true), .list, .object:
            throw Failure(.data, "page \(count) of \(client.name): \(what) is no text")
        case .broken:
            throw Failure(
                .data,
                "page \(count) of \(client.name): \(what) is no text: half of a surrogate pair, or a byte that is none of"
                    + " UTF-8, is in it")
        case .tooLong:
            throw Failure(
                .data, "page \(count) of \(client.name): \(what) is longer than \(MemberScanner.mostBytes) bytes")
        }
    }
}
