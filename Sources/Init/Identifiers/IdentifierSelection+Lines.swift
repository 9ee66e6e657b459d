import SluiceDefinition
import SluiceRecords

// What identifies records of which nothing less than all is unique.
extension IdentifierSelection {
    /// What is left of tables and sequences, whose records have no place in a list: all that they say, or their lines.
    func chooseAmongLines(_ measure: RecordMeasure) throws(Failure) {
        let entity = measure.entity
        let columns = (RecordMeasure.last(entity) ?? RecordMeasure.first(entity)).map { entity.columns[$0] }
        let last = measure.candidates.first { $0.isLast && !$0.isGone && $0.isComplete(measure.records) }
        let repeats = try last?.repeats()
        let copies = isAround(entity) ? nil : try measure.copies()
        let losesNothing = repeats == 0 || repeats != nil && repeats == copies || entity.records == 1
        // Of observations, many may say the same, and none of them is a copy.
        let areMany = (copies ?? 0) * 100 > entity.records && copies ?? 0 > 1
        if areMany, losesNothing, try hasLines(entity) {
            chooseLine(entity, repeats, areCopies: true)
        } else if !columns.isEmpty, !entity.isTree, losesNothing {
            entity.identifier = DraftIdentifier(columns: columns)
            remarkTogether(columns.count, repeats ?? 0, entity)
            remarkFiles(entity)
        } else if try hasLines(entity) {
            chooseLine(entity, repeats)
        } else if !columns.isEmpty, !entity.isTree {
            chooseLosing(entity, columns, repeats, copies ?? 0)
        } else {
            entity.standing = .nameless
        }
    }

    /// Identifies the records of several files by what is unique in each of these. Returns whether something is.
    func chooseInFiles(_ evidence: Evidence) throws(Failure) -> Bool {
        let entity = evidence.entity
        let feed = feeds[entity.place.feed]
        guard feed.files.count > 1, try hasLines(entity),
            let unique = try FileUniques.find(in: entity, of: feed, measures)
        else { return false }
        entity.identifier = DraftIdentifier(columns: [unique.column], line: .file)
        entity.remarks.append(
            "\(quoted(unique.column.ownName)) is unique in each file, and \(grouped(unique.known)) of"
                + " \(grouped(entity.records)) records are in a file before: where the files are exports of the same records,"
                + " load the newest of them alone, and take \(quoted(unique.column.ownName)) as the identifier"
                + " (recipes.md, the newest of several exports)")
        return true
    }

    /// Whether each record stands in a line of its own, of which no other file has one.
    private func hasLines(_ entity: DraftEntity) throws(Failure) -> Bool {
        guard entity.place.isOfSequence, entity.owner == nil, !entity.isTree, !entity.place.isOfPage,
            !entity.isEmbedded, entity.place.fileNames == .differ
        else { return false }
        return try feeds[entity.place.feed].hasValuesInLines
    }

    /// - Parameter areCopies: whether the records that are not unique say just what others say.
    private func chooseLine(_ entity: DraftEntity, _ repeats: Int?, areCopies: Bool = false) {
        let keys = entity.columns.filter { $0.isKey && $0.cut == nil && !$0.isFile }
        let places = entity.place.steps.indices.filter { entity.place.steps[$0] == .element }.map { $0 + 1 }
        let isOfOneFile = feeds[entity.place.feed].files.count == 1
        entity.identifier = DraftIdentifier(
            columns: keys, places: places, line: isOfOneFile ? .ofFeed : .ofFile)
        let lost = repeats.map { repeats in
            " (by what every record has, \(grouped(repeats)) of \(grouped(entity.records)) would be lost)"
        }
        entity.remarks.append(
            "nothing in the records is unique\(lost ?? ""): their line in the feed identifies them, which holds only"
                + " while the order of the feed stays")
        if areCopies {
            entity.remarks.append(
                "those that say just what another one says are objects of their own: where they are copies, all attributes"
                    + " together are the identifier")
        }
    }

    private func chooseLosing(_ entity: DraftEntity, _ columns: [DraftColumn], _ repeats: Int?, _ copies: Int) {
        entity.identifier = DraftIdentifier(columns: columns)
        entity.identifier?.isNotQuiteUnique = true
        let lost = repeats.map {
            ": \(grouped($0 - copies)) of \(grouped(entity.records)) are lost, though they differ"
        }
        entity.remarks.append(
            "nothing is unique: records that agree in all of the identifier are one object\(lost ?? "")")
        remarkFiles(entity)
    }

    private func remarkFiles(_ entity: DraftEntity) {
        if entity.place.fileNames == .same { entity.remarks += [entity.place.fileNames.remark].compactMap { $0 } }
    }

    private func remarkTogether(_ count: Int, _ repeats: Int, _ entity: DraftEntity) {
        if repeats > 0 { return remarkCopies(repeats, entity) }
        guard entity.records > 1 else { return }
        entity.remarks.append(
            count > 3
                ? "no three attributes that were looked at are unique together; these \(count), which every record has, are"
                : "together they are unique, which may be by chance")
    }

    // MARK: Copies

    /// Columns that are unique but for records that say just what another one says.
    func choiceWithCopies(_ choices: [Choice], _ measure: RecordMeasure) throws(Failure) -> Choice? {
        let entity = measure.entity
        guard !isAround(entity), let copies = try measure.copies(), copies > 0, isFew(copies, of: entity)
        else { return nil }
        // Two lines of an invoice that say the same are two.
        if entity.owner != nil, hasPlace(entity), copies * 20 > entity.records { return nil }
        return choices.first { $0.repeats == copies }
    }

    func remarkCopies(_ count: Int, _ entity: DraftEntity) {
        entity.identifier?.isNotQuiteUnique = true
        entity.remarks.append(
            count == 1
                ? "1 of \(grouped(entity.records)) records is a copy of another one, and no object of its own"
                : "\(grouped(count)) of \(grouped(entity.records)) records are copies of others, and no objects of their own"
        )
    }

    /// Whether lists in the records of an entity are records of another one, so that its own values are not all that
    /// they say.
    private func isAround(_ entity: DraftEntity) -> Bool {
        measures.contains { $0.entity.owner === entity && !$0.entity.isEmbedded }
    }
}
