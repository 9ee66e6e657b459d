import SluiceExtract
import SluiceFetch
import SluiceRecords

/// Distinguishes the pages of a service from other answers: with status 200, an error looks like a page without
/// records, which is the end of a feed.
///
/// Every page is compared with the first one: where the first has its records, each other page must have a list or an
/// object, too, even an empty one, or null. A page with nothing at that place, and without a record, must be an empty
/// document. A page without a record that speaks of an error is an error.
struct PageForm {
    /// Where records are looked for: their paths up to what may match several nodes.
    let places: [Path]
    /// Whether pages are held to the first one. Answers that know nothing of one another are not.
    private let isCompared: Bool
    /// The values of the first page at the places; once a page has records, the values of that page.
    private var first: [MemberScanner.Value]?
    private var firstHasRecords = false
    /// The lists of the last page with records: a service that knows no further page may give the last one again.
    private var lists: [[UInt8]?] = []
    /// Of a source that is asked for each record of an entity: what its answers have in common.
    private var parts: PartForm?

    /// - Parameter areParts: whether the service is asked for each record of an entity.
    init(_ model: Model, source: Int, isCompared: Bool, areParts: Bool = false) {
        // Else nobody asks what is there.
        places = isCompared || areParts ? PageForm.places(of: model, source: source) : []
        self.isCompared = isCompared
        parts = areParts ? PartForm() : nil
    }

    /// Where pages of a source have their records.
    static func places(of model: Model, source: Int) -> [Path] {
        var places: [Path] = []
        for path in model.entities.filter({ $0.sources.contains(source) }).flatMap(\.records) {
            let place = Path(root: .feed, steps: Array(path.steps.prefix(while: \.isNameOrIndex)))
            if !places.contains(place) { places.append(place) }
        }
        return places
    }

    /// Of a source that is asked for each record: answers that have nothing that the others have.
    var strange: PartForm.StrangeAnswers { parts?.strange ?? PartForm.StrangeAnswers() }

    /// Forgets the first page: what follows are pages of something else.
    mutating func beginAgain() { (first, firstHasRecords, lists) = (nil, false, []) }

    /// Looks at a page that has been read.
    ///
    /// - Parameters:
    ///   - name: what messages call it.
    ///   - records: how many it had.
    /// - Throws: what is there instead of a page.
    mutating func check(_ page: PageWatch, named name: String, records: UInt64) throws(Failure) {
        let values = page.values
        // The values of an empty page say little: some services write `{}` for an empty list.
        let isFirst = first == nil || records > 0 && !firstHasRecords
        defer { if isFirst { (first, firstHasRecords) = (values, records > 0) } }
        if isCompared, !isFirst, let first { try compare(page, values, with: first, name, records) }
        if records > 0 { try compareLists(of: page, name) }
        if first == nil {
            let hasNone = records == 0 && values.allSatisfy { $0 == .absent } && !PageForm.isEmpty(page.beginning)
            try parts?.check(page.beginning, named: name, isOdd: hasNone)
        }
        guard records == 0, let statement = PageStatement(beginning: page.beginning), statement.isError else { return }
        throw Failure(.data, "\(name) holds no record, and says \(statement.text)")
    }

    private mutating func compareLists(of page: PageWatch, _ name: String) throws(Failure) {
        let (before, now) = (lists, page.lists)
        lists = now
        guard isCompared, before == now, now.contains(where: { $0?.isEmpty == false }), now.allSatisfy({ $0 != nil })
        else { return }
        throw Failure(
            .data, "\(name) holds the same records as the page before: the service does not go on from page to page")
    }

    private func compare(
        _ page: PageWatch, _ values: [MemberScanner.Value], with first: [MemberScanner.Value], _ name: String,
        _ records: UInt64
    ) throws(Failure) {
        for (place, (value, before)) in zip(places, zip(values, first)) {
            guard before.isContainer, value != .absent, !value.isEmpty, value.form != before.form else { continue }
            throw Failure(
                .data,
                "\(name) has \(value.form) at \(PageForm.shown(place)), where the first page has \(before.form)"
                    + PageStatement.clause(beginning: page.beginning))
        }
        let known = places.indices.filter { first[$0] != .absent }
        guard records == 0, let place = known.first, known.allSatisfy({ values[$0] == .absent }),
            !PageForm.isEmpty(page.beginning)
        else { return }
        let obstacle = FeedShape(beginning: page.beginning).obstacle(for: [places[place]])
        throw Failure(
            .data,
            "\(name) has nothing at \(PageForm.shown(places[place])), where the first page has its records"
                + (obstacle.map { ": \($0)" } ?? "") + PageStatement.clause(beginning: page.beginning))
    }

    private static func shown(_ place: Path) -> String { "`\(place.description)`".printable }

    /// Whether a document says nothing: `{}`, `[]` or `null`.
    private static func isEmpty(_ bytes: [UInt8]) -> Bool {
        switch JSONBeginning.root(of: bytes)?.kind {
        case .null?: true
        case .array(let elements)?: elements.isEmpty
        case .object(let members)?: members.isEmpty
        case .boolean?, .number?, .string?, nil: false
        }
    }
}

extension MemberScanner.Value {
    fileprivate var isContainer: Bool {
        switch self {
        case .list, .object: true
        case .absent, .null, .boolean, .number, .text, .tooLong, .broken: false
        }
    }

    /// Whether it says that there is nothing, in whichever way.
    fileprivate var isEmpty: Bool {
        switch self {
        case .null, .list(isEmpty: true), .object(isEmpty: true): true
        case .absent, .boolean, .number, .text, .list, .object, .tooLong, .broken: false
        }
    }

    /// What it is, with an article.
    fileprivate var form: String {
        switch self {
        case .absent: "nothing"
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .list: "a list"
        case .object: "an object"
        case .text, .tooLong, .broken: "a text"
        }
    }
}

extension Path.Step {
    /// Whether it leads to one node.
    fileprivate var isNameOrIndex: Bool {
        switch self {
        case .name, .index: true
        case .indexFromEnd, .filter, .wildcard, .descendantName, .descendantWildcard: false
        }
    }
}
