import SluiceRecords

/// What records of an entity say, by what identifies them: exactly of so many objects, and beyond of a fair sample.
final class ObjectLog {
    let entity: DraftEntity
    /// By the identifier: what the first record says.
    private var objects: [UInt64: UInt64] = [:]
    /// What other records say: by which identifier.
    private var others: [UInt64: UInt64] = [:]
    private var records = 0
    /// Objects with larger hashes are not followed.
    private var limit = UInt64.max
    /// Whether there were more than could be followed.
    private var isFull = false

    private let most: Int

    init(_ entity: DraftEntity, most: Int = Losses.mostObjects) { (self.entity, self.most) = (entity, most) }

    func add(_ object: UInt64, _ content: UInt64) {
        records += 1
        guard object <= limit, !isFull else { return }
        guard let first = objects[object] else { return begin(object, content) }
        if first == content { return }
        others[ValueFingerprint.joined(object, content)] = object
        isFull = others.count >= most
    }

    /// Nothing more is known: records were too many.
    func lose() { isFull = true }

    private func begin(_ object: UInt64, _ content: UInt64) {
        objects[object] = content
        guard objects.count > most else { return }
        limit /= 2
        objects = objects.filter { $0.key <= limit }
        others = others.filter { $0.value <= limit }
    }

    /// How many records would be lost; nil: none.
    var figures: String? {
        guard !others.isEmpty else { return nil }
        let share = Double(limit) / Double(UInt64.max)
        let about = isFull ? "more than " : limit == .max ? "" : "about "
        return "\(about)\(grouped(Int((Double(others.count) / share).rounded()))) of \(grouped(records)) records"
    }
}
