import SluiceRecords

/// Gives the rows of an entity to what is measured of its objects. A record is identified once what is around it has
/// ended.
final class IdentityRows: RowReceiver {
    private var log: ObjectLog?
    /// What the owner's identifier is a part of.
    private var owner: IdentityRows?
    private var isFollowed = false
    private var content: [DraftColumn] = []
    /// Records in the one that goes on: what identifies them in it, and what they say.
    private var inner: [(log: ObjectLog, identity: UInt64, content: UInt64)] = []
    private static let mostInner = 1 << 18
    /// The place in the list of one owner.
    private var place: (owner: UInt64, number: Int64) = (0, 0)

    static func follow(_ log: ObjectLog, _ rows: [IdentityRows]) {
        let own = rows[log.entity.index]
        own.log = log
        own.content = log.entity.columns.filter { $0.content == .scalar && $0.cut == nil && !$0.isPathOfFile }
        var next: IdentityRows? = own
        while let row = next {
            row.isFollowed = true
            row.owner = row.entity.identifier?.hasOwner == true ? row.entity.owner.map { rows[$0.index] } : nil
            next = row.owner
        }
    }

    /// The columns that are looked at.
    var needed: [DraftColumn] { isFollowed ? content + (entity.identifier?.columns ?? []) : [] }

    override var isDone: Bool { !isFollowed }

    override func add(_ row: UnsafePointer<UInt64>) -> RowDemand {
        defer { inner.removeAll(keepingCapacity: true) }
        guard let own = unsafe identity(row) else { return .more }
        if let log {
            let all = content.reduce(1) { unsafe ValueFingerprint.joined($0, row[$1.index + 1]) }
            give(log, own, all)
        }
        for record in inner { give(record.log, ValueFingerprint.joined(own, record.identity), record.content) }
        return .more
    }

    private func give(_ log: ObjectLog, _ identity: UInt64, _ content: UInt64) {
        guard let owner else { return log.add(identity, content) }
        if owner.inner.count >= IdentityRows.mostInner { return log.lose() }
        owner.inner.append((log, identity, content))
    }

    /// What identifies a record, but for its owner; nil: a part is missing, and so the record is rejected or left out.
    private func identity(_ row: UnsafePointer<UInt64>) -> UInt64? {
        guard let identifier = entity.identifier else { return nil }
        var hash: UInt64 = 1
        for column in identifier.columns {
            let value = unsafe row[column.index + 1]
            if value == ValueFingerprint.none { return nil }
            hash = ValueFingerprint.joined(hash, value)
        }
        return identifier.hasIndex ? unsafe ValueFingerprint.joined(hash, number(row[0])) : hash
    }

    /// The place of a record among those of its owner.
    private func number(_ owner: UInt64) -> UInt64 {
        place = (owner, owner == place.owner ? place.number + 1 : 0)
        return ValueFingerprint.of(place.number)
    }
}
