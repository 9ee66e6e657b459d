import CSluiceYajl
import SluiceRecords

// What a walker knows, by subject.
extension Walker {
    /// Where paths lead.
    struct Paths {
        let automaton: Automaton
        /// The automaton's; they are copied again when it has made a state.
        var tables: Automaton.Tables
        let symbolCount: Int
        let hasDescendants: Bool
        var keys: KeyInterner

        init(_ automaton: Automaton) {
            self.automaton = automaton
            tables = automaton.tables
            symbolCount = automaton.symbolCount
            hasDescendants = automaton.hasDescendants
            keys = KeyInterner(automaton.symbols)
        }
    }

    /// The objects and arrays whose end is still to come.
    struct Containers {
        var cursors = Table<Cursor>()
        var frames = Table<Frame>()
        var frameCapacity = 64
        /// Symbols from 64 on that the keys of each frame have had: as many words for each frame.
        var moreSeen = Table<UInt64>()
        let moreSeenWords: Int

        init(symbolCount: Int) {
            moreSeenWords = (symbolCount - 1) / 64
            frames.ensure(frameCapacity)
            for index in 0..<frameCapacity { frames[index] = Frame() }
        }

        mutating func deallocate() {
            for index in 0..<frameCapacity { unsafe frames[index].ownKey.bytes?.deallocate() }
            frames.deallocate()
            cursors.deallocate()
            moreSeen.deallocate()
        }
    }

    /// What the values of keys brought, while the keys may be repeated.
    struct Marks {
        var all = Table<Mark>()
        var count = 0
        /// The marks of keys that no path names, by the depth of their frames.
        var unnamed: [[[UInt8]: Int]] = []
    }

    /// The records whose end is still to come, and what they want.
    struct OpenRecords {
        var records = Table<OpenRecord>()
        var recordCount = 0
        /// How many of them are records, not just around some.
        var innerCount = 0
        var rows = Table<OpenRow>()
        var rowCount = 0
        var captures = Table<Capture>()
        var captureCount = 0

        mutating func reset() { (recordCount, innerCount, rowCount, captureCount) = (0, 0, 0, 0) }

        mutating func deallocate() {
            records.deallocate()
            rows.deallocate()
            captures.deallocate()
        }
    }

    /// The batch that is being filled.
    @safe
    struct Output {
        var batch: RecordBatch?
        var sections: [EntityRecords] = []
        /// Those of the sections.
        var tables: Table<UnsafeMutablePointer<RecordTables>>
        /// The batch's own, while the batch is here.
        var arena = Arena(capacity: 1)
        var batchNumber = 0
        private(set) var rowsInBatch = 0
        /// What the cells of the rows take.
        private var cellBytes = 0
        /// What was moved here from the last batch.
        private(set) var rowsCarried = 0
        private(set) var bytesCarried = 0
        /// What the batch held when the outermost open record began.
        var bytesBefore = 0
        var wantsHandOut = false
        var emit: ((RecordBatch) throws(Failure) -> RecordBatch)?

        init(_ model: Model) {
            unsafe tables = Table(capacity: model.entities.count)
            arena.deallocate()
        }

        /// What the batch takes: values and cells.
        var byteCount: Int { arena.count &+ cellBytes }

        /// Whether the batch has as much as it may.
        func isFull(_ options: FeedOptions) -> Bool {
            rowsInBatch >= options.batchSize || byteCount >= options.batchBytes
        }

        /// Notes a row of so many bytes.
        @inline(__always)
        mutating func noteRow(_ bytes: Int) {
            rowsInBatch &+= 1
            cellBytes &+= bytes
        }

        /// Notes what a batch holds that comes to be filled.
        ///
        /// - Parameter isCarried: Whether that was moved here from the last batch.
        mutating func begin(with batch: RecordBatch, isCarried: Bool) {
            rowsInBatch = batch.rowCount
            cellBytes = batch.cellBytes
            (rowsCarried, bytesCarried) = isCarried ? (rowsInBatch, byteCount) : (0, 0)
        }
    }

    /// How many records there were.
    struct RecordCounts {
        /// Of each entity, how many records its source has had.
        var numbers: [UInt64]
        /// By the automaton's `ends`: how many records they have taken.
        var taken: [UInt64]
        /// Of known items, how many records do not count: they have no number.
        var unnumbered: UInt64 = 0
        /// How many there were, whether or not they count.
        var all: UInt64 { numbers.reduce(unnumbered, +) }

        init(_ model: Model, _ automaton: Automaton) {
            numbers = [UInt64](repeating: 0, count: model.entities.count)
            taken = [UInt64](repeating: 0, count: automaton.ends.count)
        }
    }

    /// What is not expected.
    struct Drift {
        var fields = FieldTable()
        /// The fields of open containers through which paths only pass; negative: something in it is used.
        var passedFields = Table<Int32>()
        var passedCount = 0
        /// How many keys of records have been used.
        var useCount: UInt64 = 0
        /// How many nodes have been open.
        var lastNumber: UInt64 = 0
        /// Which open records have been counted for a field before records in them were.
        var outer: Set<Note> = []
        /// From so many on, those of records that have ended are dropped.
        static let outerLimit = 1000
        /// The entities that may have records which are not where their paths lead, see `FeedDrift.hidden`.
        var hidden: Set<Int> = []
        /// The keys of lists at the top to which no path leads.
        var lists: [Int32] = []
        /// The one that is open, and where it began.
        var openList: (key: Int32, start: UInt64) = (KeyInterner.unknown, 0)
        /// So many are told, of more bytes than these.
        static let mostLists = 100
        static let leastOfList: UInt64 = 40
        /// Keys above records that came again, and how often. As many as paths name.
        var around: [RepeatedAround.Key: (found: RepeatedAround, count: UInt64)] = [:]

        /// That a record has been counted for a field.
        struct Note: Hashable {
            var record: UInt64
            var field: Int32
            var isRepeated: Bool

            func of(_ record: UInt64) -> Note { Note(record: record, field: field, isRepeated: isRepeated) }
        }

        mutating func deallocate() {
            fields.deallocate()
            passedFields.deallocate()
        }
    }

    /// What is around the records.
    struct Surroundings {
        var ancestors: Ancestors
        /// By entity and row of the batch: for each ancestor the number of the open one that the row waits for, or 0.
        var links: [Table<UInt64>]
        /// How many of them are not 0.
        var waitingLinks = 0
        /// By entity: the first row in the batch that is this source's.
        var firstRows: [Int]
        var holds: HeldRecords
        /// Whether rows on disk may have become complete.
        var wantsDrain = false

        init(_ model: Model, _ automaton: Automaton) {
            let ancestors = Ancestors(automaton.ancestors, model)
            self.ancestors = ancestors
            links = model.entities.indices.map { Table(capacity: ancestors.counts[$0] == 0 ? 0 : 64) }
            firstRows = [Int](repeating: 0, count: model.entities.count)
            holds = HeldRecords(model, ancestors: automaton.ancestors.count)
        }

        mutating func reset() {
            (waitingLinks, wantsDrain) = (0, false)
            ancestors.reset()
        }

        mutating func deallocate() {
            for index in links.indices { links[index].deallocate() }
            ancestors.deallocate()
            holds.deallocate()
        }
    }

    /// Why the parse ends before the bytes do.
    struct Ending {
        /// Why a callback has stopped yajl.
        var failure: Failure?
        /// Whether `failure` is about what stands between two values at the top.
        var isBetweenValues = false
        /// Whether `failure` has been set where yajl could not be stopped at once.
        var mustStop = false
    }

    /// The file that is read, and how far.
    @safe
    struct Feed {
        let model: Model
        let source: Int
        let options: FeedOptions
        var file = 0
        var fileName = ""
        var window: Window
        /// The offset of the first of the bytes that yajl has been given last.
        var origin: UInt64 = 0
        /// Nil: the feed is a table.
        var handle: yajl_handle?
        var table: TableFeed
        /// Of a table, the offsets of what is being read in it: of a cell, or of what a row begins and ends with.
        var token: (start: UInt64, end: UInt64) = (0, 0)
        /// The end of the last value at the top.
        var valueEnd: UInt64 = 0
        var lines = LineCounter()
        var prescan: Prescan

        init(model: Model, source: Int, options: FeedOptions) {
            self.model = model
            self.source = source
            self.options = options
            window = Window(chunkSize: options.chunkSize)
            prescan = Prescan(hasSeparators: options.format == .lines)
            table = TableFeed(
                options.table, columns: model.columns(of: source), maxText: options.maxText,
                maxRecord: options.maxRecord)
        }

        var isTable: Bool { unsafe handle == nil }

        mutating func start(_ file: Int, named name: String) {
            self.file = file
            fileName = name
            window.reset()
            lines = LineCounter()
            prescan = Prescan(hasSeparators: options.format == .lines)
            valueEnd = 0
        }
    }
}
