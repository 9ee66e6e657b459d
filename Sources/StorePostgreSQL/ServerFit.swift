import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

extension Entity {
    /// Whether something of it is JSON on a server.
    fileprivate var hasJSON: Bool {
        (attributes + relationships.flatMap { $0.values + $0.stub }).contains {
            ServerType($0.conversion.stored) == .json
        }
    }
}

/// Rejects records whose values a server cannot hold, before they are loaded: SQLite can hold values that a server
/// cannot.
struct ServerFit: RecordFit {
    /// Bytes of what is indexed: the server refuses an entry that is longer than a third of a page.
    static let longestKey = 2600

    /// The cells that are checked in the rows of one entity.
    private struct Columns: Sendable {
        /// A cell, and the type that it has on the server.
        struct Column: Sendable {
            var cell: Int
            var form: CellForm
        }

        /// The attributes whose type has values that the server lacks.
        var risky: [Column]
        /// Nil: a row of any values fits on a page.
        var width: ServerRowWidth?
        var identifier: [Int]
        /// The attributes that are indexed, each by itself.
        var indexed: [Int]
        /// The parts of each key by which a target is looked for.
        var references: [[Column]]
        /// The links' own values, and the attributes of stubs that references state, with their relationship.
        var links: [(column: Column, isIndexed: Bool, relationship: Int)]

        init(_ entity: Entity, _ model: Model, _ limits: Limits, keepsPast: Bool) {
            width = ServerRowWidth(entity, model, keepsPast: keepsPast, page: limits.page)
            let layout = entity.layout
            identifier = entity.identifier
            risky = entity.attributes.indices.map { attribute in
                Column(cell: attribute, form: CellForm(entity.attributes[attribute].conversion.stored))
            }.filter { $0.form.canMisfit || $0.form.type == .json }
            indexed = entity.attributes.indices.filter {
                entity.attributes[$0].isIndexed && !entity.identifier.contains($0)
            }
            references = entity.relationships.enumerated().flatMap { index, relationship in
                relationship.searches(in: model).enumerated().map { way, search in
                    search.conversions.enumerated().map { part, conversion in
                        Column(
                            cell: layout.keyStart(relationship, at: index, way: way) + part,
                            form: CellForm(conversion.stored))
                    }
                }
            }
            links = entity.relationships.enumerated().flatMap { index, relationship in
                (relationship.values + relationship.stub).enumerated().map { place, value in
                    let cell = layout.valueStart(relationship, at: index) + place
                    return (Column(cell: cell, form: CellForm(value.conversion.stored)), value.isIndexed, index)
                }
            }
        }
    }

    /// What a server's configuration lets it hold.
    struct Limits: Sendable {
        /// The most bytes of a row, when all values that can be stored elsewhere are.
        var page = 8160
        /// Levels of JSON.
        var depth = Int.max

        init() {}

        init(_ connection: ServerConnection) throws(Failure) {
            let found = try connection.query(
                """
                SELECT current_setting('block_size')::bigint, pg_size_bytes(current_setting('max_stack_depth'))
                """)
            page = Int(found.integer(0, 0)) - Limits.pageHeader
            depth = max(0, Int(found.integer(0, 1)) - Limits.stackBelow) / Limits.stackOfLevel
        }

        /// Bytes of a page that no row can use.
        private static let pageHeader = 32
        /// Bytes of the server's stack below a parser of JSON, and those that a level takes: measured, and some more.
        private static let (stackBelow, stackOfLevel) = (16 << 10, 192)
    }

    private let model: Model
    private let limits: Limits
    private let columns: [Columns]

    /// Asks the server what it can hold, where that matters.
    ///
    /// - Parameter keepsPast: whether what the objects of an entity are now is kept once they change.
    init(_ model: Model, _ connection: ServerConnection, keepsPast: (Int) -> Bool) throws(Failure) {
        let kept = model.entities.indices.map(keepsPast)
        let depends = zip(model.entities, kept).contains { entity, isKept in
            ServerRowWidth(entity, model, keepsPast: isKept, page: Limits().page) != nil || entity.hasJSON
        }
        self.model = model
        limits = depends ? try Limits(connection) : Limits()
        columns = zip(model.entities, kept).map { [limits] in Columns($0, model, limits, keepsPast: $1) }
    }

    /// Looks at all records of a batch that can become objects.
    package func check(_ batch: RecordBatch) {
        let before = batch.faults.count
        for section in batch.sections where section.count > 0 { check(section, columns[section.entity], batch) }
        guard batch.faults.count > before else { return }
        // By entity and row, as those of the transformation are; none of these has faults of both.
        batch.faults.sort { ($0.entity, $0.row) < ($1.entity, $1.row) }
    }

    private func check(_ section: EntityRecords, _ columns: Columns, _ batch: RecordBatch) {
        for row in 0..<section.count {
            switch section.status[row] {
            case .complete:
                checkValues(row, section, columns, batch)
                for key in columns.references { checkReference(row, section, key, batch) }
                if !columns.links.isEmpty { checkLinks(row, section, columns, batch) }
            case .gone: checkIdentifier(row, section, columns, batch)
            default: break
            }
        }
    }

    private func reject(_ row: Int, _ member: String, _ reason: String, _ section: EntityRecords, _ batch: RecordBatch)
    {
        batch.faults.append(Fault(entity: section.entity, row: row, member: member, reason: reason))
        section.status[row] = .rejected
    }

    private func name(_ attribute: Int, _ section: EntityRecords) -> String {
        model.entities[section.entity].attributes[attribute].name
    }

    private func checkValues(_ row: Int, _ section: EntityRecords, _ columns: Columns, _ batch: RecordBatch) {
        let start = row * section.width
        for column in columns.risky {
            guard let misfit = misfit(section.typed[start + column.cell], column.form, batch.arena) else { continue }
            if columns.identifier.contains(column.cell) { section.typed[start + column.cell] = .absent }
            reject(row, name(column.cell, section), misfit, section, batch)
        }
        for attribute in columns.indexed {
            guard let reason = tooLong(section.typed[start + attribute]) else { continue }
            reject(row, name(attribute, section), reason, section, batch)
        }
        checkLength(row, section, columns, batch)
        guard let width = columns.width?.width(row, section, batch.arena), width > limits.page else { return }
        reject(
            row, name(columns.identifier[0], section),
            "a row of \(width) bytes besides long values, which are elsewhere, and PostgreSQL takes \(limits.page)",
            section, batch)
    }

    private func checkIdentifier(_ row: Int, _ section: EntityRecords, _ columns: Columns, _ batch: RecordBatch) {
        let start = row * section.width
        for column in columns.risky where columns.identifier.contains(column.cell) {
            guard let misfit = misfit(section.typed[start + column.cell], column.form, batch.arena) else { continue }
            section.typed[start + column.cell] = .absent
            reject(row, name(column.cell, section), misfit, section, batch)
        }
        checkLength(row, section, columns, batch)
    }

    private func checkLength(_ row: Int, _ section: EntityRecords, _ columns: Columns, _ batch: RecordBatch) {
        let start = row * section.width
        let count = columns.identifier.reduce(0) { $0 + ServerFit.bytes(section.typed[start + $1]) }
        guard count > ServerFit.longestKey else { return }
        for attribute in columns.identifier { section.typed[start + attribute] = .absent }
        reject(
            row, name(columns.identifier[0], section),
            "an identifier of \(count) bytes, and PostgreSQL takes \(ServerFit.longestKey)", section, batch)
    }

    // MARK: References

    /// A reference to an identifier that no object on a server can have is impossible.
    private func checkReference(_ row: Int, _ section: EntityRecords, _ key: [Columns.Column], _ batch: RecordBatch) {
        for column in key { checkPart(row, section, column, batch) }
        if key.count > 1 { checkLength(row, section, key, batch) }
    }

    private func checkPart(
        _ row: Int, _ section: EntityRecords, _ column: Columns.Column, _ batch: RecordBatch
    ) {
        let place = row * section.width + column.cell
        let cell = section.typed[place]
        if cell.kind == .list {
            var index = cell.head
            for _ in 0..<cell.count {
                let element = batch.elements[index]
                if isImpossible(element.cell, column.form, batch.arena) {
                    batch.elements[index].cell.kind = .impossible
                }
                index = Int(element.next)
            }
        } else if isImpossible(cell, column.form, batch.arena) {
            section.typed[place] = Cell(kind: .impossible, payload: cell.payload, length: cell.length)
        }
    }

    /// Checks the length of the parts of each key together, as ``checkLength(_:_:_:_:)`` does for identifiers.
    private func checkLength(_ row: Int, _ section: EntityRecords, _ key: [Columns.Column], _ batch: RecordBatch) {
        let start = row * section.width
        guard key.allSatisfy({ section.typed[start + $0.cell].kind == .list }) else {
            let part = ServerFit.longestPart(key.count) { section.typed[start + key[$0].cell] }
            if let part { section.typed[start + key[part].cell].kind = .impossible }
            return
        }
        let cells = key.map { section.typed[start + $0.cell] }
        var indexes = cells.map(\.head)
        for _ in 0..<(cells.map(\.count).min() ?? 0) {
            if let part = ServerFit.longestPart(key.count, { batch.elements[indexes[$0]].cell }) {
                batch.elements[indexes[part]].cell.kind = .impossible
            }
            indexes = indexes.map { Int(batch.elements[$0].next) }
        }
    }

    /// The bytes that a value takes in an entry of an index.
    @inline(__always)
    private static func bytes(_ cell: Cell) -> Int { cell.hasBytes ? cell.count : 8 }

    /// The longest of the parts of a key; nil: the key is not too long as a whole.
    private static func longestPart(_ count: Int, _ part: (Int) -> Cell) -> Int? {
        guard (0..<count).reduce(0, { $0 + bytes(part($1)) }) > longestKey else { return nil }
        return (0..<count).max { bytes(part($0)) < bytes(part($1)) }
    }

    /// What links have of their own, and what is said of stubs, are values as any other.
    private func checkLinks(_ row: Int, _ section: EntityRecords, _ columns: Columns, _ batch: RecordBatch) {
        for (column, isIndexed, relationship) in columns.links {
            for cell in cells(section.typed[row * section.width + column.cell], batch) {
                guard let reason = misfit(cell, column.form, batch.arena) ?? (isIndexed ? tooLong(cell) : nil) else {
                    continue
                }
                let name = model.entities[section.entity].relationships[relationship].name
                return reject(row, name, reason, section, batch)
            }
        }
    }

    /// The elements of a list, or the cell itself.
    private func cells(_ cell: Cell, _ batch: RecordBatch) -> [Cell] {
        guard cell.kind == .list else { return [cell] }
        var index = cell.head
        return (0..<cell.count).map { _ in
            let element = batch.elements[index]
            index = Int(element.next)
            return element.cell
        }
    }

    private func tooLong(_ cell: Cell) -> String? {
        guard cell.hasBytes, cell.count > ServerFit.longestKey else { return nil }
        return "an indexed value of \(cell.count) bytes, and PostgreSQL takes \(ServerFit.longestKey)"
    }

    @inline(__always)
    private func isImpossible(_ cell: Cell, _ form: CellForm, _ arena: Arena) -> Bool {
        cell.kind == .text && (cell.count > ServerFit.longestKey || misfit(cell, form, arena) != nil)
    }

    @inline(__always)
    private func misfit(_ cell: Cell, _ form: CellForm, _ arena: Arena) -> String? {
        if form.type == .json {
            guard unsafe JSONDepth.exceeds(limits.depth, cell, UnsafePointer(arena.base)) else { return nil }
            return "JSON nested deeper than \(limits.depth) levels, which PostgreSQL's max_stack_depth lets it hold"
        }
        guard let misfit = unsafe form.misfit(cell, UnsafePointer(arena.base)) else { return nil }
        return switch misfit {
        case .nul: "text with U+0000, which PostgreSQL cannot hold"
        case .leapSecond: "a leap second, which PostgreSQL cannot hold"
        case .tooPrecise: "a time finer than microseconds, which PostgreSQL cannot hold"
        }
    }
}
