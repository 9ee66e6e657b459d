import CSluiceYajl
import SluiceRecords

/// Reads a file of a feed token by token, for those who want to know what it holds before there is a model.
///
/// It takes what `FeedReader` takes. What is wrong with a feed, and where, it leaves to that: `read` just says that
/// there is something.
///
///     let ending = try reader.read(bytes) { observer.tokens }
@safe
package struct EventReader {
    /// How a reading ended.
    package enum Ending: Sendable {
        /// To its end; with `isBroken`, a text in it has half of a surrogate pair, which no text can hold.
        case whole(isBroken: Bool, unused: UnusedCells = UnusedCells())
        /// The bytes are no feed, or ask for too much.
        case invalid
        /// A function said so.
        case stopped
    }

    /// What is in a table, and was not told of.
    package struct UnusedCells: Sendable {
        /// Rows whose cells are not those of the columns: a run rejects them.
        package fileprivate(set) var rejected = Rows()
        /// Rows without a value in any column that has a name.
        package fileprivate(set) var blank = Rows()
        /// By column without a name, from 0 on: how many of its cells have a value.
        package fileprivate(set) var unnamed: [Int: Int] = [:]

        package init() {}

        mutating func reject(_ reason: @autoclosure () -> String, at offset: UInt64) {
            if rejected.count == 0 { rejected.reason = reason() }
            rejected.note(at: offset)
        }

        mutating func passBlank(at offset: UInt64) { blank.note(at: offset) }

        mutating func passUnnamed(_ column: Int) { unnamed[column, default: 0] += 1 }
    }

    /// Rows of a table.
    package struct Rows: Sendable {
        package private(set) var count = 0
        /// Where the first of them begins.
        package private(set) var offset: UInt64 = 0
        /// What is wrong with the first of them.
        package fileprivate(set) var reason = ""

        fileprivate mutating func note(at offset: UInt64) {
            if count == 0 { self.offset = offset }
            count += 1
        }
    }

    let options: FeedOptions
    let events: FeedEvents
    let context: UnsafeMutableRawPointer

    package init(_ options: FeedOptions, _ events: FeedEvents, context: UnsafeMutableRawPointer) {
        self.options = options.checked
        self.events = events
        unsafe self.context = context
    }

    /// Reads to the end.
    ///
    /// - Parameter tokens: how many tokens there were so far. A value so long that there is none for `maxText` bytes is
    ///   not waited for.
    package func read(_ source: any ByteSource, tokens: () -> UInt64) throws(Failure) -> Ending {
        var table = callbacks
        let source = try recoded(source, options.encoding)
        if options.format.isTable { return try readTable(source, table) }
        let outcome = unsafe withUnsafePointer(to: &table) { table in
            Result { () throws(Failure) in try unsafe read(source, table, tokens) }
        }
        return try outcome.get()
    }

    private var callbacks: yajl_callbacks {
        unsafe yajl_callbacks(
            yajl_null: events.null, yajl_boolean: events.boolean, yajl_integer: nil, yajl_double: nil,
            yajl_number: events.number, yajl_string: events.string, yajl_start_map: events.beginObject,
            yajl_map_key: events.key, yajl_end_map: events.endObject, yajl_start_array: events.beginArray,
            yajl_end_array: events.endArray)
    }

    private func read(
        _ source: any ByteSource, _ table: UnsafePointer<yajl_callbacks>, _ tokens: () -> UInt64
    ) throws(Failure) -> Ending {
        guard let handle = unsafe Parser.make(table, context) else {
            throw Failure(.io, "there is not enough memory for a JSON parser")
        }
        defer { unsafe yajl_free(handle) }
        unsafe sluice_yajl_enable(handle, yajl_dont_validate_strings)
        if options.format == .lines { unsafe sluice_yajl_enable(handle, yajl_allow_multiple_values) }
        var window = Window(chunkSize: options.chunkSize)
        defer { window.deallocate() }
        var prescan = Prescan(hasSeparators: options.format == .lines)
        var (isLast, isBroken) = (false, false)
        // Where the last token was met, and how many there were then.
        var (offset, count): (UInt64, UInt64) = (0, 0)
        let before = tokens()
        while !isLast {
            isLast = try window.fill(from: source).count == 0
            let safeEnd = unsafe prescan.scan(
                window.base, from: window.fed, to: window.end, offset: window.origin, isLast: isLast)
            isBroken = isBroken || prescan.nextBroken < .max
            prescan.forgetBroken(before: .max)
            let status = unsafe yajl_parse(handle, window.base + window.fed, safeEnd - window.fed)
            if status == yajl_status_client_canceled { return .stopped }
            if status != yajl_status_ok || prescan.problem != nil { return .invalid }
            window.fed = safeEnd
            window.start = safeEnd
            if tokens() != count { (offset, count) = (window.offset(of: safeEnd), tokens()) }
            if window.offset(of: safeEnd) - offset > UInt64(options.maxText) { return .invalid }
        }
        // Behind a complete document yajl does not mind a string without an end; a line break in it, it does.
        var end = UInt8(ascii: "\n")
        guard unsafe yajl_parse(handle, &end, 1) == yajl_status_ok else { return .invalid }
        // A sequence may have no value, which a document must have.
        if options.format == .lines, tokens() == before { return .whole(isBroken: false) }
        return unsafe yajl_complete_parse(handle) == yajl_status_ok ? .whole(isBroken: isBroken) : .invalid
    }
}
