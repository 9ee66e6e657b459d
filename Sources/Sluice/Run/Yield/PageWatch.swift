import SluiceExtract
import SluiceFetch
import SluiceRecords

/// The bytes of a page, which are looked at while they are read: for what stands at some places.
final class PageWatch: ByteSource {
    private let source: FeedBeginning
    private var scanners: [MemberScanner]
    private let count: Int
    private let isWanted: () -> Bool
    /// The feed whose secrets are not shown.
    private var feed: WebFeed?

    /// - Parameters:
    ///   - places: names and indices from the top of the page.
    ///   - others: more of them.
    ///   - keepsLists: whether ``lists`` are wanted, which are looked at to their ends.
    ///   - isWanted: asked now and then whether anybody will look at what is found.
    init(
        _ source: any ByteSource, _ places: [Path], others: [Path] = [], keepsLists: Bool = false,
        while isWanted: @escaping () -> Bool = { true }
    ) {
        self.source = FeedBeginning(source)
        let own = places.map { MemberScanner($0.steps, keepsList: keepsLists) }
        scanners = own + others.map { MemberScanner($0.steps) }
        count = places.count
        self.isWanted = isWanted
    }

    var consumed: Int { source.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe source.read(into: buffer)
        // The bytes are many, and most of them stand behind what is looked for.
        for index in scanners.indices where !isKnown(scanners[index]) && isWanted() {
            if count == 0 {
                scanners[index].finish()
            } else {
                unsafe scanners[index].scan(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
        return count
    }

    /// Whether a scanner need not see more: of what is no list, none is wanted.
    private func isKnown(_ scanner: MemberScanner) -> Bool {
        if scanner.isDone { return true }
        if case .list = scanner.value { return false }
        return scanner.isFound
    }

    /// What stands at each place, once the page is read.
    var values: [MemberScanner.Value] { scanners.prefix(count).map(\.value) }

    /// The lists at the places as they are written; nil: there is none, or it is a long one.
    var lists: [[UInt8]?] { scanners.prefix(count).map(\.list) }

    /// What stands at each of the others.
    var otherValues: [MemberScanner.Value] {
        scanners.dropFirst(count).map { scanner in
            if case .text(let text) = scanner.value, let feed { .text(feed.cleaned(text)) } else { scanner.value }
        }
    }

    /// The first bytes.
    var beginning: [UInt8] { feed?.cleaned(source.bytes) ?? source.bytes }

    /// Has no secret of a service shown: from now on, the first bytes and the other values are without them.
    func hideSecrets(of feed: WebFeed) { self.feed = feed }
}
