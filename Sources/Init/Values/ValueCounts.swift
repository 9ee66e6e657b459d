/// How many values of each kind there are at a place.
struct ValueCounts: BitwiseCopyable {
    var objects = 0
    var arrays = 0
    var texts = 0
    var numbers = 0
    var booleans = 0
    var nulls = 0

    var scalars: Int { texts + numbers + booleans }

    /// Whether something else than null was there.
    var hasValues: Bool { objects + arrays + scalars > 0 }
    var values: Int { objects + arrays + scalars + nulls }

    /// Whether there are objects, and no lists.
    var hasObjects: Bool { objects > 0 && arrays == 0 }
    /// Whether there are lists, and no objects.
    var hasLists: Bool { arrays > 0 && objects == 0 }
    /// Whether there are objects, and no other values but null.
    var areObjects: Bool { hasObjects && scalars == 0 }
    /// Whether there are lists, and no other values but null.
    var areLists: Bool { hasLists && scalars == 0 }
    /// Whether there are neither objects nor lists.
    var areScalars: Bool { objects + arrays == 0 }

    static func += (sum: inout ValueCounts, added: ValueCounts) {
        sum.objects += added.objects
        sum.arrays += added.arrays
        sum.texts += added.texts
        sum.numbers += added.numbers
        sum.booleans += added.booleans
        sum.nulls += added.nulls
    }
}
