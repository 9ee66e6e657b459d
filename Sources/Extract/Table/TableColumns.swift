import SluiceRecords

/// The columns of a table, in their order.
@safe
struct TableColumns {
    /// A name, in memory that stays where it is; without a byte: the column is passed over.
    @safe
    struct Name: BitwiseCopyable {
        var text: UnsafeMutablePointer<UInt8>
        var length: Int
    }

    private(set) var names = Table<Name>()
    private(set) var count = 0

    mutating func deallocate() {
        clear()
        names.deallocate()
    }

    mutating func clear() {
        for index in 0..<count { unsafe names[index].text.deallocate() }
        count = 0
    }

    mutating func append(_ text: UnsafePointer<UInt8>, _ length: Int) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: length + 1)
        unsafe copy.update(from: text, count: length)
        names.ensure(count + 1)
        names[count] = unsafe Name(text: copy, length: length)
        count += 1
    }

    mutating func append(_ name: String) {
        var name = name + "\0"
        name.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe append(base, bytes.count - 1)
        }
    }

    func text(of index: Int) -> String {
        unsafe String(
            decoding: UnsafeBufferPointer(start: names[index].text, count: names[index].length), as: UTF8.self)
    }
}
