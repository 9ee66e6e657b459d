import SluiceRecords

/// Measures what a run of the draft would lose: records that agree in all of the identifier, and differ in what they
/// say. Where it was measured already that no two records agree in it, nothing is read once more.
struct Losses {
    private let measures: [RecordMeasure]
    private let feeds: [SurveyedFeed]

    /// So many objects are followed of one entity, and of all.
    static let mostObjects = 1 << 18
    private static let leastObjects = 1 << 14
    private static let allObjects = 1 << 20

    init(_ measures: [RecordMeasure], _ feeds: [SurveyedFeed]) { (self.measures, self.feeds) = (measures, feeds) }

    private var entities: [DraftEntity] { measures.map(\.entity) }

    /// Has records identified by something else, where they would be lost, or else tells how many of them there are.
    func settle() throws(Failure) {
        var logs = try objectLogs()
        // What is in records that are identified by something else has another identifier, too.
        if replaceIdentifiers(of: logs) { logs = try objectLogs() }
        for log in logs {
            guard let figures = log.figures else { continue }
            log.entity.identifier?.isNotQuiteUnique = true
            log.entity.remarks.append("\(figures) would be lost: they agree in all of the identifier, and differ")
        }
    }

    private func objectLogs() throws(Failure) -> [ObjectLog] {
        let doubtful = entities.filter(Losses.isDoubtful)
        guard !doubtful.isEmpty else { return [] }
        let most = max(Losses.leastObjects, min(Losses.mostObjects, Losses.allObjects / doubtful.count))
        let logs = doubtful.map { ObjectLog($0, most: most) }
        let rows = entities.map(IdentityRows.init)
        for log in logs { IdentityRows.follow(log, rows) }
        try SurveyedFeed.measure(feeds, rows, rows.flatMap(\.needed))
        return logs
    }

    /// Whether records may agree in an identifier, for all that was measured of it.
    private static func isDoubtful(_ entity: DraftEntity) -> Bool {
        guard canBeMeasured(entity), !entity.repeats else { return false }
        return sequence(first: entity) { $0.identifier?.hasOwner == true ? $0.owner : nil }.contains {
            $0.identifier.map { $0.isNotQuiteUnique || $0.repeats } ?? false
        }
    }

    private static func canBeMeasured(_ entity: DraftEntity) -> Bool {
        guard !entity.isDropped, !entity.isEmbedded, !entity.isInTree, entity.records > 1,
            let identifier = entity.identifier
        else { return false }
        return !identifier.hasOwner || entity.owner?.identifier != nil
    }

    /// Identifies records by what does so alone, if nothing refers to them by what was chosen.
    private func replaceIdentifiers(of logs: [ObjectLog]) -> Bool {
        let targets = Set(entities.flatMap(\.relationships).flatMap(\.targets).map(ObjectIdentifier.init))
        var hasReplaced = false
        for log in logs where log.figures != nil {
            let entity = log.entity
            guard let alone = measures[entity.index].alone, let chosen = entity.identifier, chosen.hasOwner,
                !chosen.isNotQuiteUnique, !targets.contains(ObjectIdentifier(entity))
            else { continue }
            entity.identifier = alone
            hasReplaced = true
        }
        return hasReplaced
    }
}
