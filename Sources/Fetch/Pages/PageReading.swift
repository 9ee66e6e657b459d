import SluiceExtract
import SluiceRecords

/// What a page says of the others: what is looked for in it, and what that means.
struct PageReading {
    let paging: Paging
    /// The page, for messages.
    private let name: String
    private let page: PageSequence.Page

    init(_ paging: Paging, of page: PageSequence.Page, named name: String) {
        self.paging = paging
        self.page = page
        self.name = name
    }

    /// The paths to look for in a page: of the way to the next one, of the number of all records, of whether there is
    /// another page, and of the records.
    static func paths(_ paging: Paging) -> [Path] {
        [wayPath(paging), paging.total, paging.more].compactMap { $0 } + paging.places
    }

    private static func wayPath(_ paging: Paging) -> Path? {
        switch paging.style {
        case .next(let path), .cursor(let path, _): path
        case .link, .number, .offset: nil
        }
    }

    /// What the page has at a path that was looked for.
    private func value(at path: Path?) -> MemberScanner.Value {
        guard let index = PageReading.paths(paging).firstIndex(where: { $0 == path }), index < page.values.count
        else { return .absent }
        return page.values[index]
    }

    /// Whether the page has a list at a place of records, and nothing in any: the reader will find no record in it.
    var isEmpty: Bool {
        let values = paging.places.map { value(at: $0) }
        return values.contains { $0 == .list(isEmpty: true) }
            && values.allSatisfy { [.absent, .null, .list(isEmpty: true), .object(isEmpty: true)].contains($0) }
    }

    // MARK: The way to the next page

    private var way: MemberScanner.Value { value(at: PageReading.wayPath(paging)) }

    /// What the header `Link` names under a relation.
    private func link(_ relation: String) -> String? { LinkHeader.target(of: relation, in: page.head.all("link")) }

    /// Whether the page has what leads to the next one, even if that says that there is none.
    var hasWay: Bool {
        if case .link(let relation) = paging.style { return link(relation) != nil }
        return way != .absent
    }

    /// The way to the next page as a text; nil: there is none, or it is not such a text.
    var writtenWay: String? {
        if case .link(let relation) = paging.style { return link(relation) }
        switch way {
        case .text(let text), .number(let text): return text
        case .absent, .null, .boolean, .list, .object, .tooLong, .broken: return nil
        }
    }

    /// The way to the next page; nil: there is none. Throws where it is there, and is none.
    ///
    /// - Parameter what: what it is, for a message.
    func way(_ what: String) throws(Failure) -> String? {
        if case .link(let relation) = paging.style { return link(relation) }
        switch way {
        case .absent, .null, .boolean(false): return nil
        case .text(let text), .number(let text): return text.isEmpty ? nil : text
        case .boolean(true), .list, .object: throw Failure(.data, "\(name): \(what) is no text")
        case .broken:
            throw Failure(
                .data,
                "\(name): \(what) is no text: half of a surrogate pair, or a byte that is none of UTF-8, is in it")
        case .tooLong:
            throw Failure(.data, "\(name): \(what) is longer than \(MemberScanner.mostBytes) bytes")
        }
    }

    // MARK: How many there are

    /// Whether the page says that there is another one; nil: it does not say.
    var hasMore: Bool? {
        get throws(Failure) {
            guard let path = paging.more else { return nil }
            return try isTrue(value(at: path), path).map { $0 != paging.moreIsEnd }
        }
    }

    private func isTrue(_ value: MemberScanner.Value, _ path: Path) throws(Failure) -> Bool? {
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
            .data, "\(name): \(path) does not say whether there is another page: true or false")
    }

    /// The number of all records, as the page says it.
    var total: UInt64? {
        get throws(Failure) {
            guard let path = paging.total else { return nil }
            switch value(at: path) {
            case .absent, .null, .boolean(false): return nil
            case .text(let text), .number(let text):
                if let number = Double(text), let count = UInt64(exactly: number) { return count }
            case .boolean(true), .list, .object, .tooLong, .broken: break
            }
            throw Failure(.data, "\(name): \(path) is no number of records")
        }
    }
}
