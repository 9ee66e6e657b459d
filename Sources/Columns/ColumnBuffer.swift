import SluiceRecords

/// The values of one column of a row group, as they will stand in its page.
@safe
package final class ColumnBuffer {
    package let column: ParquetColumn
    /// Behind a pointer: a property of a class is checked for exclusive access each time, which takes longer than the
    /// access itself.
    private let memory: UnsafeMutablePointer<Memory>

    private struct Memory {
        /// Integers, and dates.
        var numbers = DeltaNumbers()
        /// Texts, and bytes.
        var texts = DeltaTexts()
        /// What else there is.
        var plain = ColumnBytes(capacity: 64)
        /// How far each value is defined; of lists, likewise for each element.
        var defined = Levels()
        /// Of lists: 0 begins one, 1 goes on.
        var repeated = Levels()
        /// Of booleans: how many stand in the last byte.
        var bits = 0
        /// Where all values so far are the same text: it, and how many they are. They are not among the others then.
        var constant = ColumnBytes(capacity: 64)
        var constantCount = 0
        /// What precedes the values in a page.
        var head = ColumnBytes(capacity: 64)

        mutating func deallocate() {
            numbers.deallocate()
            texts.deallocate()
            defined.deallocate()
            repeated.deallocate()
            for var bytes in [plain, constant, head] { bytes.deallocate() }
        }
    }

    init(_ column: ParquetColumn) {
        self.column = column
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: Memory())
    }

    deinit {
        unsafe memory.pointee.deallocate()
        unsafe memory.deinitialize(count: 1)
        unsafe memory.deallocate()
    }

    /// Bytes that the values would take plain. In memory they take as much at the most, and mostly less.
    var byteCount: Int {
        unsafe 8 * memory.pointee.numbers.count + memory.pointee.texts.plainCount + memory.pointee.plain.count
            + memory.pointee.defined.count + memory.pointee.repeated.count
    }

    /// Values, nulls among them; empty lists count as one.
    var count: Int { unsafe memory.pointee.defined.count + memory.pointee.constantCount }

    func reset() {
        unsafe memory.pointee.numbers.reset()
        unsafe memory.pointee.texts.reset()
        unsafe memory.pointee.plain.reset()
        unsafe memory.pointee.defined.reset()
        unsafe memory.pointee.repeated.reset()
        unsafe memory.pointee.bits = 0
        unsafe memory.pointee.constantCount = 0
    }

    // MARK: Levels

    @inline(__always)
    package func null() { level(0) }

    /// A value of its own follows.
    @inline(__always)
    package func value() { level(1) }

    /// So many values of their own follow; not of lists.
    package func values(_ count: Int) { unsafe memory.pointee.defined.append(1, count: count) }

    package func emptyList() { level(1) }

    /// An element of a list.
    package func element(isFirst: Bool, isNull: Bool) {
        unsafe memory.pointee.defined.append(isNull ? 2 : 3)
        unsafe memory.pointee.repeated.append(isFirst ? 0 : 1)
    }

    @inline(__always)
    private func level(_ level: UInt8) {
        unsafe memory.pointee.defined.append(level)
        if column.isList { unsafe memory.pointee.repeated.append(0) }
    }

    // MARK: Values

    @inline(__always)
    package func put(_ value: Int64) { unsafe memory.pointee.numbers.append(value) }

    @inline(__always)
    package func put(_ value: Double) { unsafe memory.pointee.plain.append(value.bitPattern, bytes: 8) }

    package func put(days: Int32) { unsafe memory.pointee.numbers.append(Int64(days)) }

    package func put(_ value: Bool) {
        let bits = unsafe memory.pointee.bits
        if bits == 0 { unsafe memory.pointee.plain.append(0) }
        if value { unsafe memory.pointee.plain.setLast(1 << UInt8(bits)) }
        unsafe memory.pointee.bits = (bits + 1) & 7
    }

    package func put(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBufferPointer { unsafe put($0) } }

    @inline(__always)
    package func put(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe memory.pointee.texts.append(bytes) }

    /// So many values that are the same text. As long as nothing else comes, it is kept once.
    package func put(_ text: [UInt8], count: Int) {
        if count == 0 { return }
        let isConstant = unsafe memory.pointee.defined.count == 0
        if isConstant, unsafe memory.pointee.constantCount == 0 || memory.pointee.constant.view.elementsEqual(text) {
            unsafe memory.pointee.constant.reset()
            unsafe memory.pointee.constant.append(text)
            unsafe memory.pointee.constantCount += count
            return
        }
        let kept = unsafe (text: Array(memory.pointee.constant.view), count: memory.pointee.constantCount)
        unsafe memory.pointee.constantCount = 0
        spell(kept.text, kept.count)
        spell(text, count)
    }

    private func spell(_ text: [UInt8], _ count: Int) {
        values(count)
        for _ in 0..<count { put(text) }
    }

    // MARK: Pages

    /// The one entry of its dictionary, where all values are the same text.
    func dictionary() -> ColumnPage? {
        guard unsafe memory.pointee.constantCount > 0 else { return nil }
        unsafe memory.pointee.head.reset()
        unsafe memory.pointee.head.append(UInt64(memory.pointee.constant.count), bytes: 4)
        return unsafe ColumnPage(encoding: .plain, parts: [memory.pointee.head, memory.pointee.constant])
    }

    /// The body of a data page (version 1): levels, then the values that are not null; where all are the same, a run of
    /// the first entry of the dictionary, in indices of one bit.
    func page() -> ColumnPage {
        unsafe memory.pointee.head.reset()
        let run = unsafe memory.pointee.constantCount
        if run > 0 {
            unsafe memory.pointee.head.appendBehindLength { Levels.writeRun(of: 1, run, to: &$0) }
            unsafe memory.pointee.head.append(1)
            unsafe Levels.writeRun(of: 0, run, to: &memory.pointee.head)
            return unsafe ColumnPage(encoding: .dictionary, parts: [memory.pointee.head])
        }
        if column.isList { unsafe memory.pointee.repeated.write(to: &memory.pointee.head, most: 1) }
        unsafe memory.pointee.defined.write(to: &memory.pointee.head, most: column.mostDefined)
        let values = values()
        return unsafe ColumnPage(encoding: values.encoding, parts: [memory.pointee.head] + values.parts)
    }

    /// Those that are not null. Where there is none, nothing stands for them, which is plain.
    private func values() -> ColumnPage {
        if unsafe memory.pointee.numbers.count > 0 {
            return unsafe ColumnPage(encoding: .deltaNumbers, parts: memory.pointee.numbers.finish())
        }
        if unsafe memory.pointee.texts.count > 0 {
            return unsafe ColumnPage(encoding: .deltaTexts, parts: memory.pointee.texts.finish())
        }
        return unsafe ColumnPage(encoding: .plain, parts: [memory.pointee.plain])
    }
}
