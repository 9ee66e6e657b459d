import SluiceRecords

// Which columns may be unique together.
extension RecordMeasure {
    static let mostColumns = 10
    /// So many of those that seem to be unique by themselves are followed, the likeliest.
    private static let mostSingle = 32
    /// So many columns identify the values of a sequence where nothing less is unique.
    private static let mostLast = 16
    /// Of so many columns, the likeliest, three together with the owner are looked at, or four.
    private static let mostTogether = 6
    /// Of fewer records, so many columns are unique together by chance.
    static let leastTogether = 20

    /// Whether a column can be (a part of) an identifier.
    static func isEligible(_ column: DraftColumn) -> Bool {
        guard column.isAlwaysThere, column.cut == nil, column.values >= column.entity.records || column.isKey else {
            return false
        }
        // What is in an object of one that the feed has once is that object's.
        if column.entity.isSingle, let path = column.path, path.count > 1 { return false }
        return column.isKey
            || (column.facts.reals.count == 0 || column.isOfSeconds || column.isLabel) && !isLong(column)
                && column.facts.empties == 0 && column.counts.booleans == 0 && !column.isTextOfMeasure
                && !column.lacksByWord && (column.origin != .record || column.entity.place.steps.last == .element)
    }

    /// Whether values are texts that people write, most of them: one that is longer than the others says nothing.
    private static func isLong(_ column: DraftColumn) -> Bool {
        let facts = column.facts
        return facts.longest > 2000 || facts.bytes > 200 * max(1, facts.texts - facts.empties)
    }

    /// Columns that some records lack, and by which others may be found.
    static func optional(_ entity: DraftEntity) -> [Int] {
        let found = entity.columns.filter { column in
            let facts = column.facts
            return column.content == .scalar && column.cut == nil && !column.isKey && column.origin != .record
                && !isEligible(column) && column.values >= 5 && facts.reals.count == 0 && facts.longest <= 60
                && column.counts.booleans == 0 && !column.isTextOfMeasure
                && (facts.sketch.distinct >= 0.85 * Double(column.values) || facts.sketch.mayHave(column.values))
                && (isNamelike(column) || lacksHardly(column))
        }
        return found.sorted { ($0.meaning.rank, $0.index) < ($1.meaning.rank, $1.index) }.prefix(mostColumns).map(
            \.index)
    }

    private static func isNamelike(_ column: DraftColumn) -> Bool { column.isCode || column.meaning.rank < .code }

    /// Whether a column is only looked at for what identifies its own records: some lack it, and nothing says that
    /// others refer to it.
    static func isForItself(_ column: DraftColumn) -> Bool { !isEligible(column) && !isNamelike(column) }

    /// Whether all but a few records have a column.
    static func lacksHardly(_ column: DraftColumn) -> Bool {
        let (records, lacking) = (column.entity.records, column.entity.records - column.values)
        return lacking * 100 <= records || lacking == 1 && records >= leastTogether
    }

    /// What identifies the values of a sequence, at the worst: nothing else does, and they have no places. Of files
    /// with one name, records in different files have the same place.
    static func last(_ entity: DraftEntity) -> [Int]? {
        guard entity.place.isOfSequence || entity.place.fileNames == .same, entity.owner == nil, !entity.isEmbedded
        else { return nil }
        let columns = entity.columns.filter { isEligible($0) && !$0.isPathOfFile }.prefix(mostLast).map(\.index)
        return columns.isEmpty ? nil : columns
    }

    /// The first column that may be a part of an identifier, if there is one.
    static func first(_ entity: DraftEntity) -> [Int] {
        entity.columns.filter { isEligible($0) && !$0.isPathOfFile }.prefix(1).map(\.index)
    }

    /// All that records say, where each of them says nothing else: those that agree in it are copies. Nil: something
    /// else is in them, or what identifies them is called so.
    static func whole(_ entity: DraftEntity, _ sets: [[Int]]) -> [Int]? {
        let isNamed = sets.contains { $0.count == 1 && entity.columns[$0[0]].meaning.rank < .code }
        let isOfFiles = entity.columns.contains(where: \.isFile)
        // What is called so may be in several files.
        let all = entity.columns.filter { $0.cut == nil && !$0.isPathOfFile && !(isNamed && $0.isFile) }
        // Lists of values are not compared: records that agree in all else are copies as far as anybody sees.
        let columns = all.filter { $0.content != .json && $0.content != .list }
        guard !isNamed || isOfFiles, columns.count >= min(3, all.count), !columns.isEmpty, !entity.isEmbedded,
            !entity.isTree,
            entity.omissions.members == 0,
            columns.allSatisfy({ $0.content == .scalar && $0.counts.areScalars && $0.counts.booleans == 0 })
        else { return nil }
        return (entity.owner == nil ? [] : [-1]) + columns.map(\.index)
    }

    static func candidates(_ entity: DraftEntity) -> [[Int]] {
        let eligible = entity.columns.filter(isEligible)
        let records = Double(entity.records)
        let unique = eligible.filter(seemsUnique)
        let single = (unique.count <= mostSingle ? unique : likeliest(unique)).filter { !isFileOfMany($0) }
        // Where something is called so, some records may be there twice.
        let isNamed = unique.contains { $0.meaning.rank < .code || $0.meaning.isReference }
        var others = eligible.filter { column in
            (column.facts.sketch.distinct > 1.5 || entity.records < 3)
                && (!unique.contains { $0 === column }
                    || (!isNamed || entity.records < leastTogether && column.isOwnMember) && isNearlyUnique(column))
        }
        // The likeliest first: those that are called so, then those with the most values.
        others.sort { one, other in
            if one.isKey != other.isKey { return one.isKey }
            if one.isCounting != other.isCounting { return other.isCounting }
            if one.meaning.rank != other.meaning.rank { return one.meaning.rank < other.meaning.rank }
            return one.facts.sketch.distinct > other.facts.sketch.distinct
        }
        var parts = others.prefix(mostColumns).map(\.index)
        let likely = likely(parts, entity)
        let keys = eligible.filter(\.isKey).map(\.index)
        var found = single.map { [$0.index] }
        if entity.owner != nil {
            found += (parts + single.map(\.index)).map { [-1, $0] }
            if !keys.isEmpty { found.append([-1] + keys) }
            found += eligible.filter { isNameOfValue($0) }.map { [-1, $0.index] }
        } else if keys.count > 1 {
            found.append(keys)
        }
        // What is unique in all files may be so by chance, but that it is in each of them.
        if let file = eligible.first(where: \.isFile) {
            found += single.filter { $0 !== file }.map { [file.index, $0.index] }
        }
        found += unique.filter { $0.meaning.rank < .code && isNearlyUnique($0) }.flatMap { own in
            eligible.filter { $0 !== own && $0.isOfVersions }.map { [own.index, $0.index] }
        }
        parts.sort()
        for (place, one) in parts.enumerated() {
            for (next, two) in parts.enumerated().dropFirst(place + 1) {
                if product(entity, [one, two]) >= records { found.append([one, two]) }
                if entity.owner != nil { found.append([-1, one, two]) }
                for three in parts.dropFirst(next + 1) where product(entity, [one, two, three]) >= records {
                    found.append([one, two, three])
                }
            }
        }
        if single.isEmpty, entity.records >= leastTogether { found += together(likely, entity) }
        found += atPlaces(parts, entity)
        var known: Set<[Int]> = []
        return found.filter { known.insert($0).inserted }
    }

    /// Whether a column has the names of pairs of a name and a `value`.
    static func isNameOfValue(_ column: DraftColumn) -> Bool {
        column.isOwnMember && ["key", "name"].contains(column.ownName.lowercased())
            && column.entity.columns.contains { $0.origin == .member(["value"]) }
    }

    /// Whether a column has the names of files that may have several records each, though none of them does today.
    private static func isFileOfMany(_ column: DraftColumn) -> Bool {
        column.isFile && column.entity.place.steps.dropFirst().contains { $0 == .element || $0 == .anyMember }
    }

    /// Of some columns, the likeliest before the others: those that are followed together. The first ones of a table
    /// are among them, unless they count something.
    private static func likely(_ parts: [Int], _ entity: DraftEntity) -> [Int] {
        let likely = parts.prefix(mostTogether)
        guard entity.place.isOfTable else { return likely.sorted() }
        let first = parts.filter { !likely.contains($0) && !entity.columns[$0].areFigures }.sorted().prefix(2)
        return (likely + first).sorted()
    }

    /// Three columns with the owner, or four, where fewer may not do.
    private static func together(_ columns: [Int], _ entity: DraftEntity) -> [[Int]] {
        let size = entity.owner == nil ? 4 : 3
        var sets: [[Int]] = [[]]
        for column in columns { sets += sets.filter { $0.count < size }.map { $0 + [column] } }
        let found = sets.filter { $0.count == size }
        guard entity.owner == nil else { return found.map { [-1] + $0 } }
        return found.filter { product(entity, $0) >= Double(entity.records) }
    }

    /// Whether columns have both parts of a place on earth.
    static func hasCoordinates(_ columns: [DraftColumn]) -> Bool {
        columns.contains { Names.isLatitude($0.ownName) } && columns.contains { Names.isLongitude($0.ownName) }
    }

    /// Where the rows of a table are, alone and with one other column: both parts of a place together may identify, as
    /// no number that was measured does.
    private static func atPlaces(_ parts: [Int], _ entity: DraftEntity) -> [[Int]] {
        guard entity.place.isOfTable, entity.owner == nil else { return [] }
        let known = entity.columns.filter {
            $0.isAlwaysThere && $0.cut == nil && $0.areNumerals && $0.facts.empties == 0
        }
        guard let latitude = known.first(where: { Names.isLatitude($0.ownName) }),
            let longitude = known.first(where: { Names.isLongitude($0.ownName) })
        else { return [] }
        let place = [latitude.index, longitude.index].sorted()
        let others = parts.filter { !place.contains($0) && !entity.columns[$0].isCounting }.prefix(mostTogether)
        return ([place] + others.map { (place + [$0]).sorted() }).filter {
            product(entity, $0) >= Double(entity.records)
        }
    }

    private static func seemsUnique(_ column: DraftColumn) -> Bool {
        let (sketch, records) = (column.facts.sketch, column.entity.records)
        return sketch.distinct >= 0.85 * Double(records) - 1 || sketch.mayHave(records)
    }

    /// Whether a column may have some values twice, for all that the sketch says: it may be a part of an identifier.
    private static func isNearlyUnique(_ column: DraftColumn) -> Bool {
        let (sketch, records) = (column.facts.sketch, column.entity.records)
        return !column.isKey && (!sketch.isExact || sketch.count < records)
    }

    /// Whether no column is left out that may be unique by itself.
    static func followsAll(of entity: DraftEntity) -> Bool {
        entity.columns.count { isEligible($0) && seemsUnique($0) } <= mostSingle
    }

    private static func likeliest(_ columns: [DraftColumn]) -> [DraftColumn] {
        let weighed = columns.map {
            ($0.isKey ? -1 : min($0.meaning.rank, $0.isCode ? .usual : .other).rawValue, $0.index, $0)
        }
        return weighed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(mostSingle).map(\.2).sorted { $0.index < $1.index }
    }

    /// How many combinations there can be.
    static func product(_ entity: DraftEntity, _ columns: [Int]) -> Double {
        columns.reduce(1.1) { $0 * entity.columns[$1].facts.sketch.distinct }
    }
}
