import CYajl
import Records

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
    /// The ends of the last string or number and of the last key, as yajl gave them.
    var textEnd: UnsafePointer<UInt8>?
    var keyEnd: UnsafePointer<UInt8>?
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

    // MARK: The paths

    let automaton: Automaton
    // These five are the automaton's; they are copied again when it has made a state.
    var infos: Table<StateInfo>
    var actions: Table<Action>
    var transitions: Table<Int32>
    var templates: Table<TemplateInfo>
    var templateMembers: Table<Int32>
    let symbolCount: Int
    var keys: KeyTable
    var cursors = Table<Cursor>()
    var frames = Table<Frame>()
    var frameCapacity = 64
    /// Symbols from 64 on that the keys of each frame have had: as many words for each frame.
    var moreSeen = Table<UInt64>()
    let moreSeenWords: Int

    // MARK: The records

    var batch: RecordBatch?
    var sections: [EntityRecords] = []
    /// Those of the sections.
    var tables: Table<UnsafeMutablePointer<EntityTables>>
    /// The batch's own, while the batch is here.
    var arena = Arena(capacity: 1)
    var batchNumber = 0
    var rowsInBatch = 0
    /// What was moved here from the last batch.
    var rowsCarried = 0
    var bytesCarried = 0
    /// What the batch held when the outermost open record began.
    var bytesBefore = 0
    var wantsHandOut = false
    var emit: ((RecordBatch) throws(Failure) -> RecordBatch)?
    var records = Table<OpenRecord>()
    var recordCount = 0
    /// How many of them are records, not just around some.
    var innerCount = 0
    var rows = Table<OpenRow>()
    var rowCount = 0
    var captures = Table<Capture>()
    var captureCount = 0
    var marks = Table<Mark>()
    var markCount = 0
    /// The marks of keys that no path names, by the depth of their frames.
    var unnamedMarks: [[[UInt8]: Int]] = []
    /// Of each entity, how many records its source has had.
    var numbers: [UInt64]
    /// By the automaton's `ends`: how many records they have taken.
    var taken: [UInt64] = []

    // MARK: What is not expected

    var fields = FieldTable()
    /// The fields of open containers through which paths only pass; negative: something in it is used.
    var passedFields = Table<Int32>()
    var passedCount = 0
    /// How many keys of records have been used.
    var useCount: UInt64 = 0
    let hasDescendants: Bool
    /// How many nodes have been open.
    var lastNumber: UInt64 = 0

    // MARK: What is around the records

    var ancestors: Ancestors
    /// By entity and row of the batch: for each ancestor the number of the open one that the row waits for, or 0.
    var links: [Table<UInt64>]
    /// How many of them are not 0.
    var waitingLinks = 0
    /// By entity: the first row in the batch that is this source's.
    var firstRows: [Int]
    var holds: Holds
    /// Whether rows on disk may have become complete.
    var wantsDrain = false
    /// Whether `failure` has been set where yajl could not be stopped at once.
    var mustStop = false

    // MARK: The feed

    let model: Model
    let source: Int
    let options: FeedOptions
    var file = 0
    var fileName = ""
    var window: Window
    /// The offset of the first of the bytes that yajl has been given last.
    var feedOrigin: UInt64 = 0
    var handle: yajl_handle?
    /// The end of the last value at the top.
    var valueEnd: UInt64 = 0
    var lines = LineCounter()
    var prescan: Prescan
    /// Why a callback has stopped yajl.
    var failure: Failure?

    init(model: Model, source: Int, options: FeedOptions) {
        self.model = model
        self.source = source
        self.options = options
        automaton = Automaton(model: model, source: source)
        infos = automaton.infos
        actions = automaton.actions
        transitions = automaton.transitions
        templates = automaton.templateInfos
        templateMembers = automaton.templateMembers
        symbolCount = automaton.symbolCount
        hasDescendants = automaton.hasDescendants
        keys = KeyTable(automaton.symbols)
        moreSeenWords = (symbolCount - 1) / 64
        // An escape of six bytes makes one at least.
        shortText = options.maxText / 6
        numbers = [UInt64](repeating: 0, count: model.entities.count)
        taken = [UInt64](repeating: 0, count: automaton.ends.count)
        ancestors = Ancestors(automaton.ancestors, model)
        links = model.entities.indices.map { [ancestors] in Table(capacity: ancestors.counts[$0] == 0 ? 0 : 64) }
        firstRows = [Int](repeating: 0, count: model.entities.count)
        holds = Holds(model, ancestors: automaton.ancestors.count)
        window = Window(chunkSize: options.chunkSize)
        prescan = Prescan(hasSeparators: options.format == .lines)
        unsafe tables = Table(capacity: model.entities.count)
        frames.ensure(frameCapacity)
        for index in 0..<frameCapacity { frames[index] = Frame() }
        unsafe top = frames.base
        arena.deallocate()
    }

    /// Frees all memory; the walker must not be used again.
    mutating func deallocate() {
        for index in 0..<frameCapacity { unsafe frames[index].ownKey?.deallocate() }
        frames.deallocate()
        cursors.deallocate()
        moreSeen.deallocate()
        unsafe tables.deallocate()
        records.deallocate()
        rows.deallocate()
        captures.deallocate()
        marks.deallocate()
        passedFields.deallocate()
        for index in links.indices { links[index].deallocate() }
        ancestors.deallocate()
        holds.deallocate()
        fields.deallocate()
        keys.deallocate()
        window.deallocate()
    }

    /// Prepares for a file.
    mutating func start(file: Int, named name: String) {
        self.file = file
        fileName = name
        window.reset()
        lines = LineCounter()
        prescan = Prescan(hasSeparators: options.format == .lines)
        nextBroken = .max
        failure = nil
        valueEnd = 0
        (skip, depth, recordCount, rowCount, captureCount, markCount) = (0, 0, 0, 0, 0, 0)
        (innerCount, waitingLinks, wantsDrain, mustStop) = (0, 0, false, false)
        passedCount = 0
        ancestors.reset()
        unsafe top = frames.base
        cursors.ensure(4)
        cursors[0] = Cursor(state: automaton.root, record: -1)
        enterFrame(isArray: true, cursorStart: 0, cursorCount: 1)
    }

    /// The values of the feed so far.
    var valueCount: Int { frames[0].index + 1 }

    /// Ends the parse.
    @inline(never)
    mutating func fail(_ kind: Failure.Kind, _ message: String, at offset: UInt64) -> CInt {
        failure = Failure(kind, message, at: place(of: offset))
        return 0
    }

    /// The place of an offset that is not before the last record's.
    mutating func place(of offset: UInt64) -> Failure.Place {
        let place = position(of: offset)
        return Failure.Place(file: fileName, line: place.line, column: place.column, offset: offset)
    }

    mutating func position(of offset: UInt64) -> (line: UInt64, column: UInt64) {
        unsafe lines.place(of: offset, window.base, count: window.end, origin: window.origin)
    }
}
