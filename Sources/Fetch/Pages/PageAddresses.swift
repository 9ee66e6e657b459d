import SluiceRecords

/// The addresses of the pages of a feed, and what is posted to them.
struct PageAddresses {
    private let client: Client
    private let paging: Paging?
    /// What is posted for the page of the last address.
    private(set) var body: RequestBody?

    init(_ client: Client) {
        self.client = client
        paging = client.request.pages
        body = client.start.body
    }

    /// The first page's.
    mutating func first() throws(Failure) -> WebAddress { try numbered(0) }

    /// That of the page after one; nil: the page names none.
    ///
    /// - Parameter count: how many pages there were.
    mutating func next(
        after page: PageSequence.Page, _ reading: PageReading, count: Int
    ) throws(Failure) -> WebAddress? {
        switch reading.paging.style {
        case .number, .offset: return try numbered(count)
        case .link, .next:
            guard let target = try reading.way("the address of the next page") else { return nil }
            do throws(AddressError) {
                return try client.follow(target, from: page.address)
            } catch {
                throw Failure(.data, "page \(count) of \(client.name) leads to an address that \(error.message)")
            }
        case .cursor(_, let parameter):
            guard let cursor = try reading.way("the next page's cursor") else { return nil }
            return try adding([(parameter, .scalar(JSONText.quoted(cursor)), cursor)], count)
        }
    }

    private mutating func numbered(_ index: Int) throws(Failure) -> WebAddress {
        switch paging?.style {
        case .number(let parameter, let first)?: return try adding([number(parameter, first + index)], index)
        case .offset(let parameter, let limit, let size)?:
            return try adding([number(parameter, index * size), number(limit, size)], index)
        case .next?, .link?, .cursor?, nil: return client.start.address
        }
    }

    private func number(_ parameter: String, _ value: Int) -> Parameter {
        (parameter, .scalar(String(value)), String(value))
    }

    /// A parameter, and its value as it is in a body and in the query.
    private typealias Parameter = (name: String, json: RequestBody, value: String)

    /// The first page's address, and its body, with other parameters.
    ///
    /// - Parameter count: how many pages there were.
    private mutating func adding(_ parameters: [Parameter], _ count: Int) throws(Failure) -> WebAddress {
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
}
