import SluiceRecords

/// The fields of records that drift is about, as a tree of their names.
///
/// Its size is bounded: names that are too many share one field.
@safe
struct FieldTable {
    struct Field: BitwiseCopyable {
        /// Negative: it is the record itself.
        var parent: Int32
        /// The key's entry in the key table, or `wildcard`; of a record its template.
        var step: Int32
        /// In how many records no path led to it, and the numbers of the first and of the last of them.
        var unused: UInt64 = 0
        var firstUnused = UInt64.max
        var lastUnused: UInt64 = 0
        /// In how many records it was repeated, and the numbers of the first and of the last of them.
        var repeated: UInt64 = 0
        var firstRepeated = UInt64.max
        var lastRepeated: UInt64 = 0
    }

    /// The step to an element of an array, or to a member whose name does not matter.
    static let wildcard: Int32 = -1
    /// Names beyond this many fields share one; no field at all is added beyond the other.
    private static let named = 10_000
    private static let limit = 16_000
    private static let bucketCount = 1 << 15

    private(set) var fields = Table<Field>()
    private(set) var count = 0
    private let buckets: Table<Int32>
    /// The first records by field, of those that are unused, and of those that are repeated: as a record of each entity
    /// of its template.
    var firstUnused: [Int32: [FeedPosition]] = [:]
    var firstRepeated: [Int32: [FeedPosition]] = [:]

    init() {
        buckets = Table(capacity: FieldTable.bucketCount)
        for bucket in 0..<FieldTable.bucketCount { buckets[bucket] = -1 }
    }

    func deallocate() {
        var (fields, buckets) = (fields, buckets)
        fields.deallocate()
        buckets.deallocate()
    }

    /// The field for the record of a template itself.
    mutating func record(template: Int32) -> Int32 { field(-1, template) }

    /// A member or an element of a field.
    @inline(__always)
    mutating func field(_ parent: Int32, _ step: Int32) -> Int32 {
        let bucket = bucket(of: parent, step)
        return buckets[bucket] >= 0 ? buckets[bucket] : add(parent, step, bucket)
    }

    @inline(never)
    private mutating func add(_ parent: Int32, _ step: Int32, _ bucket: Int) -> Int32 {
        guard count < FieldTable.limit || parent < 0 else { return parent }
        if count >= FieldTable.named && step != FieldTable.wildcard && parent >= 0 {
            return field(parent, FieldTable.wildcard)
        }
        fields.ensure(count + 1)
        fields[count] = Field(parent: parent, step: step)
        buckets[bucket] = Int32(count)
        count += 1
        return Int32(count - 1)
    }

    /// The bucket that holds a field, or the empty one where it belongs.
    @inline(__always)
    private func bucket(of parent: Int32, _ step: Int32) -> Int {
        let key = UInt64(UInt32(bitPattern: parent)) << 32 | UInt64(UInt32(bitPattern: step))
        let hash = key &* 0x9e37_79b9_7f4a_7c15
        var bucket = Int(truncatingIfNeeded: hash >> 49)
        while buckets[bucket] >= 0 {
            let field = fields[Int(buckets[bucket])]
            if field.parent == parent && field.step == step { break }
            bucket = (bucket + 1) & (FieldTable.bucketCount - 1)
        }
        return bucket
    }
}
