import SluiceRecords

/// What a statement gets: values in their binary forms, and texts that the server takes for what it wants there.
@safe
package struct Parameters {
    /// The types of the values, by their place.
    private(set) var types: [UInt32] = []
    /// Where each begins; the length is before it, as in a field.
    private var starts: [Int] = []
    /// Whether each is in its binary form: 1, or 0.
    private var formats: [Int32] = []
    private var buffer = ByteBuffer()

    package init() {}

    package mutating func deallocate() { buffer.deallocate() }

    package mutating func removeAll() {
        types.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
        buffer.removeAll()
    }

    var count: Int { types.count }
    var byteCount: Int { buffer.count }

    private mutating func begin(_ type: UInt32, isBinary: Bool = true) {
        types.append(type)
        starts.append(buffer.count)
        formats.append(isBinary ? 1 : 0)
    }

    /// A text of the type that the statement wants, as if its SQL had it between quotes.
    ///
    /// - Parameter text: without a NUL; nil: null.
    package mutating func addLiteral(_ text: String?) {
        begin(0, isBinary: false)
        buffer.appendField(text)
        // What is no binary form ends with a NUL.
        buffer.append(UInt8(0))
    }

    /// A typed cell.
    package mutating func add(_ cell: Cell, _ arena: UnsafePointer<UInt8>, as form: CellForm) {
        begin(form.type.oid)
        unsafe form.append(cell, arena, to: &buffer)
    }

    package mutating func add(_ value: Int64) {
        begin(ServerType.bigint.oid)
        buffer.appendField(value)
    }

    package mutating func add(_ text: String?) {
        begin(ServerType.text.oid)
        buffer.appendField(text)
    }

    /// A list: `append` writes the field of each element.
    package mutating func addList(
        of type: ServerType, _ count: Int, append: (_ buffer: inout ByteBuffer, _ index: Int) -> Void
    ) {
        begin(type.arrayOID)
        let start = buffer.count
        buffer.append(Int32(0))
        buffer.append(Int32(count == 0 ? 0 : 1))
        // Whether there are nulls among them: the server looks for itself.
        buffer.append(Int32(1))
        buffer.append(Int32(bitPattern: type.oid))
        if count > 0 {
            buffer.append(Int32(count))
            buffer.append(Int32(1))
            for index in 0..<count { append(&buffer, index) }
        }
        buffer.setLength(at: start, buffer.count - start - 4)
    }

    package mutating func addList(_ values: [Int64]) {
        addList(of: .bigint, values.count) { $0.appendField(values[$1]) }
    }

    package mutating func addList(_ texts: [String?]) {
        addList(of: .text, texts.count) { $0.appendField(texts[$1]) }
    }

    // MARK: For libpq

    /// Calls back with the values, their lengths, and which of them are binary.
    func withPointers<Result>(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        let fields = unsafe starts.map { unsafe buffer.base + $0 }
        let lengths = unsafe fields.map { unsafe shortInteger($0) }
        let values = unsafe zip(fields, lengths).map { field, length in
            unsafe length < 0 ? nil : UnsafeRawPointer(field + 4).assumingMemoryBound(to: CChar.self)
        }
        return unsafe body(values, lengths, formats)
    }
}
