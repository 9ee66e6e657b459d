import SluiceRecords

/// Gets the bytes of records that were read before, by their places in the feed.
///
/// A feed that is compressed is decompressed once more, up to the last record that is wanted: once, where places come
/// in the order of the feed, from one call to the next, too.
package final class RecordFetcher {
    private let copies: FeedCopies
    private var current: (source: Int, file: Int, bytes: ForwardBytes)?
    private var table: (source: Int, file: Int, rows: TableRows)?
    /// The last line that was wanted as it is: several entities may have it.
    private var line: (place: RecordPositionKey, text: RecordText)?

    package init(_ copies: FeedCopies) { self.copies = copies }

    deinit { table?.rows.deallocate() }

    /// Calls back once for each place, in no particular order, with the index of the place, and with nil where the
    /// record cannot be had: its feed was a pipe, has changed, or is not there any more.
    ///
    /// - Throws: `io` where the feed is there and cannot be read.
    /// - Parameter ofBytes: the indices of the places where the bytes are no record, and are wanted as they are.
    package func fetch(
        _ places: [RecordPositionKey], ofBytes: Set<Int> = [], found: (Int, RecordText?) -> Void
    ) throws(Failure) {
        var rest = places.indices.sorted { places[$0] < places[$1] }[...]
        while let first = rest.first {
            let file = rest.prefix { isSameFile(places[$0], places[first]) }
            rest = rest.dropFirst(file.count)
            var missing = Set(file)
            // A record that cannot be had again is no reason to fail; a disk that cannot be read is one.
            do throws(Failure) {
                try fetch(Array(file), places, ofBytes) { cut in
                    missing.remove(cut.number)
                    found(cut.number, cut.text)
                }
            } catch {
                current = nil
                if error.kind == .io { throw error }
            }
            for number in missing { found(number, nil) }
        }
    }

    /// The records of one file, in the order of their places.
    private func fetch(
        _ numbers: [Int], _ places: [RecordPositionKey], _ ofBytes: Set<Int>,
        found: ((number: Int, text: RecordText)) -> Void
    ) throws(Failure) {
        if let options = copies.forms[places[numbers[0]].source], options.format.isTable {
            return try fetchRows(numbers, places, ofBytes, options, found: found)
        }
        var rest = numbers[...]
        while let first = rest.first {
            if ofBytes.contains(first) {
                rest.removeFirst()
                guard let text = try line(at: places[first]) else { return }
                found((first, text))
                continue
            }
            let records = rest.prefix { !ofBytes.contains($0) }
            rest = rest.dropFirst(records.count)
            try cut(Array(records), places, found: found)
        }
    }

    /// The bytes from a place to the end of its line.
    private func line(at place: RecordPositionKey) throws(Failure) -> RecordText? {
        if let line, isSameFile(line.place, place), line.place.offset == place.offset { return line.text }
        guard let bytes = try bytes(of: place), try bytes.move(to: place.offset) else { return nil }
        var (kept, count, start) = ([UInt8](), 0, Int(place.offset - bytes.origin))
        while true {
            let rest = unsafe UnsafeBufferPointer(start: bytes.base, count: bytes.count)[start...]
            let end = unsafe rest.firstIndex(of: 0x0a) ?? bytes.count
            if count <= RecordText.limit { unsafe kept += rest[..<end] }
            count += end - start
            if end < bytes.count { break }
            if try !bytes.readOn() { break }
            start = 0
        }
        let text: RecordText = count > RecordText.limit ? .tooLong(UInt64(count)) : .bytes(kept)
        line = (place, text)
        return text
    }

    /// Records that are JSON, in the order of their places.
    private func cut(
        _ numbers: [Int], _ places: [RecordPositionKey], found: ((number: Int, text: RecordText)) -> Void
    ) throws(Failure) {
        guard let bytes = try bytes(of: places[numbers[0]]), try bytes.move(to: places[numbers[0]].offset) else {
            return
        }
        var cutter = RecordCutter()
        var next = 0
        var at = places[numbers[0]].offset
        while true {
            while next < numbers.count, places[numbers[next]].offset == at {
                cutter.begin(numbers[next])
                next += 1
            }
            let wanted = next < numbers.count ? places[numbers[next]].offset : .max
            if cutter.isIdle {
                guard wanted != .max, try bytes.move(to: wanted) else { return }
                at = wanted
                continue
            }
            if at == bytes.end, try !bytes.readOn() { break }
            let end = Int(min(wanted, bytes.end) - bytes.origin)
            at = bytes.origin + UInt64(unsafe cutter.look(at: bytes.base, from: Int(at - bytes.origin), to: end))
            cutter.takeCut().forEach(found)
        }
        cutter.finish()
        cutter.takeCut().forEach(found)
    }

    /// Likewise, the rows of a table.
    private func fetchRows(
        _ numbers: [Int], _ places: [RecordPositionKey], _ ofBytes: Set<Int>, _ options: FeedOptions,
        found: ((number: Int, text: RecordText)) -> Void
    ) throws(Failure) {
        let (source, file) = (places[numbers[0]].source, places[numbers[0]].file)
        if table?.source != source || table?.file != file {
            table?.rows.deallocate()
            table = nil
            guard let header = try copies.reopenText(source: source, file: file) else { return }
            table = (source, file, try TableRows(options, header))
        }
        for number in numbers {
            guard let bytes = try bytes(of: places[number]),
                let text = try table?.rows.row(
                    at: places[number].offset, of: bytes, isOfBytes: ofBytes.contains(number))
            else { return }
            found((number, text))
        }
    }

    /// The bytes of a place's file, from where they are at hand, or from the beginning.
    private func bytes(of place: RecordPositionKey) throws(Failure) -> ForwardBytes? {
        if let current, current.source == place.source, current.file == place.file,
            current.bytes.canReach(place.offset)
        {
            return current.bytes
        }
        current = nil
        guard let source = try copies.reopenText(source: place.source, file: place.file) else { return nil }
        let bytes = ForwardBytes(source)
        current = (place.source, place.file, bytes)
        return bytes
    }

    private func isSameFile(_ one: RecordPositionKey, _ other: RecordPositionKey) -> Bool {
        one.source == other.source && one.file == other.file
    }
}
