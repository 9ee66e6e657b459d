import CSluiceYajl
import SluiceRecords

/// Reads the files of one source, one after the other, and fills batches with the records in them.
///
/// ```swift
/// let reader = FeedReader(model: model, source: 0, options: FeedOptions())
/// var batch = RecordBatch(model: model)
/// let statistics = try reader.read(openFeed("stops.json"), named: "stops.json", into: &batch) { full in
///     load(full)
///     full.reset()
///     return full
/// }
/// load(batch)
/// ```
@safe
package final class FeedReader {
    private let walker: UnsafeMutablePointer<Walker>
    private let isDigested: Bool

    /// - Parameters:
    ///   - source: the index of the source in the definition: entities that name it have their records looked for.
    package init(model: Model, source: Int, options: FeedOptions) {
        isDigested = options.isDigested
        var walked = options.checked
        // A feed in another encoding is digested as it comes. The walker sees it as UTF-8, whose digest nobody wants.
        if options.encoding != nil { walked.isDigested = false }
        unsafe walker = .allocate(capacity: 1)
        unsafe walker.initialize(to: Walker(model: model, source: source, options: walked))
    }

    deinit {
        unsafe walker.pointee.deallocate()
        unsafe walker.deinitialize(count: 1)
        unsafe walker.deallocate()
    }

    /// In what the records of all files that were read so far are not as the model expects them.
    package var drift: FeedDrift { unsafe walker.pointee.summary() }

    /// How many records were found so far, whether or not they count.
    package var recordCount: UInt64 { unsafe walker.pointee.recordCounts.all }

    /// How many records each path of each entity has taken so far, whether or not they count: by entity and path. A
    /// record that several paths take counts for each of them.
    package var taken: [[UInt64]] {
        var taken = unsafe walker.pointee.takenByPath
        let (noting, source) = unsafe (walker.pointee.items.noting, walker.pointee.feed.source)
        if let search = noting?.searches[source] { unsafe search.addTaken(to: &taken, walker.pointee.feed.model) }
        return taken
    }

    /// Reads one file of the source.
    ///
    /// Records are numbered throughout all files that one reader reads.
    ///
    /// - Parameters:
    ///   - name: what errors call the file; `-` for standard input.
    ///   - file: the file's index within the source.
    ///   - batch: where the rows go. It may hold rows of other sources. At the end it is the one that was filled last,
    ///     with no open row in it; after an error, what it holds is incomplete.
    ///   - emit: takes a full batch and returns an empty one, the same or another. An error it throws ends the reading.
    package func read(
        _ bytes: any ByteSource, named name: String, file: Int = 0, into batch: inout RecordBatch,
        emit: (RecordBatch) throws(Failure) -> RecordBatch
    ) throws(Failure) -> FeedStatistics {
        guard let encoding = unsafe walker.pointee.feed.options.encoding else {
            return try readText(bytes, named: name, file: file, into: &batch, emit: emit)
        }
        let recoded = try RecodedBytes(bytes, encoding, named: name, isDigested: isDigested)
        var statistics = try readText(recoded, named: name, file: file, into: &batch, emit: emit)
        statistics.bytes = recoded.count
        statistics.sha256 = try recoded.finishDigest()
        statistics.misreading = recoded.misreading
        return statistics
    }

    /// Reads what is UTF-8.
    private func readText(
        _ bytes: any ByteSource, named name: String, file: Int, into batch: inout RecordBatch,
        emit: (RecordBatch) throws(Failure) -> RecordBatch
    ) throws(Failure) -> FeedStatistics {
        unsafe walker.pointee.start(file: file, named: name)
        unsafe walker.pointee.take(batch)
        defer {
            if let last = unsafe walker.pointee.give() { batch = last }
            unsafe walker.pointee.output.emit = nil
        }
        // The check that nothing escapes knows this file by a path. Here it is told one: of the real one it takes the
        // length, and the binary would not be the same when it is built in another folder.
        #sourceLocation(file:"FeedReader.read",line:1)
        return try withoutActuallyEscaping(emit) { emit throws(Failure) in
            unsafe walker.pointee.output.emit = emit
            defer { unsafe walker.pointee.output.emit = nil }
            if unsafe walker.pointee.feed.options.format.isTable {
                let run = try unsafe TableRun(walker)
                return try run.read(bytes)
            }
            return try readColumns(bytes, named: name) { bytes throws(Failure) in
                let run = try unsafe FeedRun(walker)
                return try run.read(bytes)
            }
        }
    }
    #sourceLocation()

    /// Reads a document, and what it says of the columns of its records.
    private func readColumns(
        _ bytes: any ByteSource, named name: String, read: (any ByteSource) throws(Failure) -> FeedStatistics
    ) throws(Failure) -> FeedStatistics {
        let columns = unsafe walker.pointee.feed.options.columns
        if columns.isEmpty { return try read(bytes) }
        let count = elementCount
        let check = ColumnCheck(bytes, columns, named: name)
        let statistics = try read(check)
        // A page behind the last, or an answer that has no records, may say nothing of columns.
        if elementCount > count { try check.finish() }
        return statistics
    }

    /// How many records were elements or members of something: the document itself is one whatever it holds.
    private var elementCount: UInt64 {
        let entities = unsafe walker.pointee.feed.model.entities
        return zip(entities, taken).flatMap { entity, counts in
            zip(entity.records, counts).compactMap { path, count in path.isDefinite ? nil : count }
        }.reduce(0, +)
    }
}
