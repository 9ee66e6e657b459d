import SluiceRecords

/// What the store has said of objects by other attributes than their identifier: which object has which values, where
/// it is only one. It is queried when all records are read, and remembered for one batch.
final class ValueLookUp {
    /// In the place of an objectID: several objects have the values.
    static let several = Int64.max

    let attributes: [Int]
    private(set) var cache = ObjectIDCache()

    init(attributes: [Int]) { self.attributes = attributes }

    deinit { cache.deallocate() }

    /// Remembers an object that has some values; another one may have them, too.
    func remember(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ objectID: Int64) {
        let key = unsafe cache.key(bytes, count)
        let isAnother = cache.find(key) != 0
        if isAnother { cache.remove(key) }
        cache.insert(key, objectID: isAnother ? ValueLookUp.several : objectID)
    }

    func forget() {
        if cache.count == 0 { return }
        cache.deallocate()
        cache = ObjectIDCache()
    }
}
