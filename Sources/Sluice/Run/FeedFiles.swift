import SluiceExtract
import SluiceFetch
import SluiceRecords

/// What is read of one source, one after the other: its files, or the pages that a web service gives.
final class FeedFiles {
    private let plan: FeedPlan
    private let web: WebFeed?
    private let program: (any ByteSource)?
    private let open: (String, Int) throws(Failure) -> any ByteSource
    private let keep: (any ByteSource, Int) throws(Failure) -> any ByteSource
    private var next = 0
    private var isOver = false

    /// - Parameters:
    ///   - web: the download of a source that is a web service.
    ///   - program: the bytes of a source that the program gives.
    ///   - open: opens a file, of that index.
    ///   - keep: is given a page, of that index.
    init(
        _ plan: FeedPlan, _ web: WebFeed?, program: (any ByteSource)? = nil,
        open: @escaping (String, Int) throws(Failure) -> any ByteSource,
        keep: @escaping (any ByteSource, Int) throws(Failure) -> any ByteSource
    ) {
        self.plan = plan
        self.web = web
        self.program = program
        self.open = open
        self.keep = keep
    }

    /// One of them.
    struct File {
        var index: Int
        var name: String
        var bytes: any ByteSource
    }

    /// The next one; nil after the last.
    func nextFile() throws(Failure) -> File? {
        guard !isOver else { return nil }
        defer { next += 1 }
        guard let web else {
            guard next < plan.files.count else { return nil }
            if let program { return File(index: next, name: plan.files[next], bytes: try keep(program, next)) }
            return File(index: next, name: plan.files[next], bytes: try open(plan.paths[next], next))
        }
        guard let page = try web.nextPage() else { return nil }
        return File(index: next, name: plan.feed.name(ofFile: next), bytes: try keep(page, next))
    }

    /// Says how many records the last one had: a page without records is the last.
    func note(records: UInt64) {
        guard let web, records == 0, plan.web?.parents == nil else { return }
        isOver = true
        web.stop()
    }
}
