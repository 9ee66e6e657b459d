import CSluiceYajl
import SluiceRecords

/// Follows yajl's tokens through the feed, and fills a batch with what the paths of a source match.
///
/// yajl calls back for each token, hundreds of millions of times. So the walker is a struct that is reached through a
/// pointer (a class costs three times as much), and its memory is its own. A subtree that cannot hold a record, and is
/// in none, is left to `skip`: nothing is done for its tokens but to count the depth.
@safe
struct Walker {
    // MARK: What each token needs

    /// How deep the walker is in a subtree that no path enters; 0: in none.
    var skip = 0
    /// The depth that `skip` must not exceed.
    var skipLimit = 0
    var ends = Ends()
    /// The container whose members or elements come next.
    var top: UnsafeMutablePointer<Frame>
    var depth = 0
    /// The cursors of the value that comes next.
    var pendingStart = 0
    var pendingCount = 0
    /// The offset of the next escaped surrogate without a partner.
    var nextBroken: UInt64 = .max
    /// A text of no more bytes than this is within `maxText`, however it was escaped.
    let shortText: Int

    var paths: Paths
    var containers: Containers
    var marks = Marks()
    var open = OpenRecords()
    var output: Output
    var recordCounts: RecordCounts
    var drift = Drift()
    var around: Surroundings
    var feed: Feed
    var items: Items
    var ending = Ending()

    /// The ends of the last string or number and of the last key, as yajl gave them.
    @safe
    struct Ends: BitwiseCopyable {
        var text: UnsafePointer<UInt8>?
        var key: UnsafePointer<UInt8>?
    }

    init(model: Model, source: Int, options: FeedOptions) {
        let automaton = Automaton(model: model, source: source)
        paths = Paths(automaton)
        containers = Containers(symbolCount: automaton.symbolCount)
        output = Output(model)
        recordCounts = RecordCounts(model, automaton)
        around = Surroundings(model, automaton)
        feed = Feed(model: model, source: source, options: options)
        items = Items(options.noting)
        // An escape of six bytes makes one at least.
        shortText = options.maxText / 6
        unsafe top = containers.frames.base
    }

    /// Frees all memory; the walker must not be used again.
    mutating func deallocate() {
        paths.keys.deallocate()
        containers.deallocate()
        marks.all.deallocate()
        open.deallocate()
        unsafe output.tables.deallocate()
        drift.deallocate()
        around.deallocate()
        feed.window.deallocate()
        items.deallocate()
        feed.table.deallocate()
    }

    /// Prepares for a file.
    mutating func start(file: Int, named name: String) {
        feed.start(file, named: name)
        (nextBroken, ending) = (.max, Ending())
        (skip, depth, marks.count, drift.passedCount) = (0, 0, 0, 0)
        items.begin(listsAreValues: feed.options.format != .json)
        open.reset()
        around.reset()
        unsafe top = containers.frames.base
        containers.cursors.ensure(4)
        containers.cursors[0] = Cursor(state: paths.automaton.root, record: -1)
        enterFrame(isArray: true, cursorStart: 0, cursorCount: 1)
    }

    /// The values of the feed so far.
    var valueCount: Int { containers.frames[0].index + 1 }

    /// Ends the parse.
    @inline(never)
    mutating func fail(_ kind: Failure.Kind, _ message: String, at offset: UInt64) -> CInt {
        ending.failure = Failure(kind, message, at: place(of: offset))
        return 0
    }

    /// The place of an offset that is not before the last record's.
    mutating func place(of offset: UInt64) -> Failure.Place {
        let place = position(of: offset)
        return Failure.Place(file: feed.fileName, line: place.line, column: place.column, offset: offset)
    }

    mutating func position(of offset: UInt64) -> (line: UInt64, column: UInt64) {
        unsafe feed.lines.place(of: offset, feed.window.base, count: feed.window.end, origin: feed.window.origin)
    }
}
