import SluiceRecords

/// The paths of records one after the other. Those of neighbours mostly differ in their place in a list alone, the end
/// of the path: what is in front of it is kept.
@safe
struct PathText {
    private(set) var bytes: [UInt8] = []
    /// The path that encloses the list, and how many bytes there are up to the place in it; nil: the last was in none.
    private var list: (path: Cell, count: Int)?

    /// Goes on to the path of another record of the same batch.
    mutating func set(_ position: RecordPosition, in arena: borrowing Arena) {
        let path = position.parentPath
        guard position.step.kind == .integer, path.kind == .text else {
            list = nil
            bytes.removeAll(keepingCapacity: true)
            return position.appendPath(in: arena, to: &bytes)
        }
        if let list, list.path.payload == path.payload, list.path.length == path.length {
            bytes.removeLast(bytes.count - list.count)
        } else {
            bytes.removeAll(keepingCapacity: true)
            unsafe bytes.append(contentsOf: arena.bytes(of: path))
            bytes.append(UInt8(ascii: "["))
            list = (path, bytes.count)
        }
        append(position.step.payload)
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ number: UInt64) {
        let (start, count) = (bytes.count, DecimalDigits.count(number))
        for _ in 0..<count { bytes.append(0) }
        DecimalDigits.write(number, count: count) { bytes[start + $0] = $1 }
    }
}
