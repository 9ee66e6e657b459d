import SluiceRecords

/// Texts without what each has in common with the one before at its beginning: `DELTA_BYTE_ARRAY` of the format. Paths,
/// identifiers that follow one another, times, and a text that comes again take a few bytes each, and no time to
/// compress.
///
/// Source: https://github.com/apache/parquet-format/blob/master/Encodings.md
@safe
struct DeltaTexts {
    /// Of a text, so much is remembered for the next one: a text may be long.
    static let remembered = 256

    private var shared = DeltaNumbers()
    private var lengths = DeltaNumbers()
    private var rests = ColumnBytes()
    private var last = Table<UInt8>(capacity: DeltaTexts.remembered)
    private var lastCount = 0
    /// Bytes of the texts, and of their lengths.
    private(set) var plainCount = 0

    var count: Int { lengths.count }

    @inline(__always)
    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        let prefix = unsafe sharedPrefix(text)
        shared.append(Int64(prefix))
        lengths.append(Int64(text.count - prefix))
        plainCount += text.count + 4
        lastCount = min(text.count, DeltaTexts.remembered)
        guard prefix < text.count, let base = text.baseAddress else { return }
        unsafe rests.append(UnsafeBufferPointer(start: base + prefix, count: text.count - prefix))
        if lastCount > prefix { unsafe (last.base + prefix).update(from: base + prefix, count: lastCount - prefix) }
    }

    /// How many bytes a text has in common with the last one.
    @inline(__always)
    private func sharedPrefix(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = text.baseAddress else { return 0 }
        let limit = min(text.count, lastCount)
        let (new, old) = unsafe (UnsafeRawPointer(base), UnsafeRawPointer(last.base))
        var place = 0
        while place + 8 <= limit {
            let differing =
                unsafe new.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                ^ old.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if differing != 0 { return place + differing.littleEndian.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < limit, unsafe text[place] == last[place] { place += 1 }
        return place
    }

    /// All of them, as they stand in a page until they are reset; no other one follows before.
    mutating func finish() -> [ColumnBytes] { shared.finish() + lengths.finish() + [rests] }

    mutating func reset() {
        shared.reset()
        lengths.reset()
        rests.reset()
        (lastCount, plainCount) = (0, 0)
    }

    mutating func deallocate() {
        shared.deallocate()
        lengths.deallocate()
        rests.deallocate()
        last.deallocate()
    }
}
