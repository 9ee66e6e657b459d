import Records

/// The addresses of a feed's pages, one after the other.
struct PageSequence {
    private let paging: Paging?
    private let client: Client
    /// How many pages there were.
    private(set) var count = 0
    private var seenAddresses: Set<Digest.Mark> = []
    private var seenPages: [Digest.Mark: UInt32] = [:]

    init(_ client: Client) {
        self.client = client
        paging = client.request.pages
    }

    /// What a page says about the next one.
    struct Page {
        var address: WebAddress
        var head: ResponseHead
        var value: MemberScanner.Value
        var digest: Digest.Value
        var bytes: UInt64
    }

    /// The path to look for in a page.
    var path: [Path.Step]? {
        switch paging?.style {
        case .next(let path)?, .cursor(let path, _)?: path.steps
        default: nil
        }
    }

    /// The address of the first page.
    mutating func first() throws(Failure) -> WebAddress {
        switch paging?.style {
        case .number?, .offset?: return try numbered(0)
        default: return client.start
        }
    }

    /// The address of the page after one; nil: that was the last. Throws where the feed goes round.
    mutating func next(after page: Page) throws(Failure) -> WebAddress? {
        count += 1
        guard let paging else { return nil }
        guard page.bytes > 0 else { return nil }
        if let earlier = seenPages.updateValue(UInt32(clamping: count), forKey: page.digest.lowHalf) {
            throw Failure(
                .data, "page \(count) of \(client.name) is the same as page \(earlier): the service repeats itself")
        }
        if let last = paging.last, count >= last - first(of: paging) + 1 { return nil }
        guard let address = try successor(of: page, paging) else { return nil }
        guard try isNew(address), count > 1 || address != page.address else {
            throw Failure(
                .data, "page \(count) of \(client.name) leads back to a page before it: the service goes round")
        }
        return address
    }

    /// Whether no page has led to an address yet.
    private mutating func isNew(_ address: WebAddress) throws(Failure) -> Bool {
        let digest = try Digest()
        unsafe Array(address.text.utf8).withUnsafeBytes { unsafe digest.update($0) }
        return seenAddresses.insert(digest.value.lowHalf).inserted
    }

    /// The number of the first page.
    private func first(of paging: Paging) -> Int {
        if case .number(_, let first) = paging.style { return first }
        return 1
    }

    private func successor(of page: Page, _ paging: Paging) throws(Failure) -> WebAddress? {
        switch paging.style {
        case .number, .offset: return try numbered(count)
        case .link(let relation):
            let target = LinkHeader.target(of: relation, in: page.head.all("link"))
            return try target.map { target throws(Failure) in try linked(target, page) }
        case .next:
            guard let target = try text(page.value, "the address of the next page"), !target.isEmpty else { return nil }
            return try linked(target, page)
        case .cursor(_, let parameter):
            guard let cursor = try text(page.value, "the next page's cursor"), !cursor.isEmpty else { return nil }
            return try adding([(parameter, cursor)])
        }
    }

    private func numbered(_ index: Int) throws(Failure) -> WebAddress {
        switch paging?.style {
        case .number(let parameter, let first)?: return try adding([(parameter, String(first + index))])
        case .offset(let parameter, let limit, let size)?:
            return try adding([(parameter, String(index * size)), (limit, String(size))])
        default: return client.start
        }
    }

    private func adding(_ parameters: [(name: String, value: String)]) throws(Failure) -> WebAddress {
        do throws(AddressError) {
            return try client.start.adding(parameters)
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
        case .boolean(true), .container:
            throw Failure(.data, "page \(count) of \(client.name): \(what) is no text")
        case .tooLong:
            throw Failure(
                .data, "page \(count) of \(client.name): \(what) is longer than \(MemberScanner.mostBytes) bytes")
        }
    }
}
