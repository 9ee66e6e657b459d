import SluiceFetch
import SluiceRecords
import Synchronization

/// The records for each of which a source is asked: collected while they are read.
final class ParentRecords: Sendable {
    /// One of them.
    struct Record: Hashable {
        /// What is asked for.
        var part: PartedFeed.Part
        /// The values that records take of it, in the order of their names.
        var values: [Literal]
    }

    private struct Collected {
        let source: String
        let entity: Entity
        let index: Int
        let address: ParentAddress
        /// Nil: nothing is posted, or the same for each.
        let body: ParentBody?
        /// The attributes that records take.
        let taken: [Int]
        /// The entities of the objects that belong to a record and are gone where no answer has them.
        let parts: [Int]
        /// Likewise those of which nothing says to which record they belong.
        let looseParts: [Int]
        let since: ParentSince?
        var records: [Record] = []
        var seen: Set<Record> = []
    }

    /// By source.
    private let collected: Mutex<[Int: Collected]>
    private let isEmpty: Bool

    /// - Parameter since: by source, the stored values that it is told for each record.
    init(_ inputs: [FeedInput], _ model: Model, since: [Int: ParentSince]) {
        var collected: [Int: Collected] = [:]
        for (source, input) in inputs.enumerated() {
            guard let parents = input.parentsOfAnswers else { continue }
            let entity = model.entities[parents.entity]
            let names = model.requestNames(of: source)
            collected[source] = Collected(
                source: input.source.name, entity: entity, index: parents.entity,
                address: ParentAddress(parents.pieces),
                body: ParentBody(input.source.service?.request.body, parents, entity),
                taken: names.compactMap { name in entity.attributes.firstIndex { $0.writtenName.isIdentical(to: name) }
                },
                parts: model.entities.indices.filter { part in
                    let part = model.entities[part]
                    guard part.removesAbsent, let within = part.absence.within else { return false }
                    return part.sources.contains(source)
                        && part.relationships[within].targets[0].entity == parents.entity
                },
                looseParts: model.entities.indices.filter { part in
                    let part = model.entities[part]
                    return part.removesAbsent && part.absence.within == nil && part.sources.contains(source)
                },
                since: since[source])
        }
        isEmpty = collected.isEmpty
        self.collected = Mutex(collected)
    }

    /// Notes the records of a batch that has been transformed, and those for which the service will not be asked. One
    /// whose address would be another than the definition writes it is a reject.
    func add(_ batch: RecordBatch) {
        if isEmpty { return }
        collected.withLock { collected in
            for source in collected.keys.sorted() {
                guard var found = collected.removeValue(forKey: source) else { continue }
                ParentRecords.add(batch, to: &found)
                collected[source] = found
            }
        }
    }

    /// Those of a source so far, each once.
    func records(of source: Int) -> [Record] { collected.withLock { $0[source]?.records ?? [] } }

    private static func add(_ batch: RecordBatch, to collected: inout Collected) {
        let section = batch.sections[collected.index]
        let before = batch.faults.count
        func leaveOut(_ row: Int) {
            for part in collected.parts { batch.unasked.append(.init(entity: section.entity, row: row, part: part)) }
        }
        func leaveOutReject(_ row: Int) {
            leaveOut(row)
            batch.unaskedParts.formUnion(collected.looseParts)
        }
        for row in 0..<section.count where section.status[row] == .rejected { leaveOutReject(row) }
        for row in 0..<section.count where section.status[row] == .complete {
            func cell(_ attribute: Int) -> Cell { section.typed[row * section.width + attribute] }
            switch collected.address.outcome({ batch.text(of: cell($0)) }) {
            case .none: leaveOut(row)
            case .address(let address, let shown):
                var part = PartedFeed.Part(address: address, name: shown)
                if let body = collected.body {
                    guard let (own, values) = body.body({ batch.text(of: cell($0)) }) else {
                        leaveOut(row)
                        break
                    }
                    part.body = own
                    part.name += " \(values)"
                }
                let key = collected.entity.identifier.map { batch.text(of: cell($0)) }
                collected.since?.addValue(of: key, to: &part)
                let record = Record(part: part, values: collected.taken.map { batch.literal(cell($0)) })
                if collected.seen.insert(record).inserted { collected.records.append(record) }
            case .misfit(let attribute, let part):
                let text = part.isEmpty ? "an empty text" : "\"\(part)\""
                batch.faults.append(
                    Fault(
                        entity: section.entity, row: row, member: collected.entity.attributes[attribute].name,
                        reason: "\(text) is no part of the path of an address, as the source \(collected.source) has it"
                    ))
                section.status[row] = .rejected
                leaveOutReject(row)
            }
        }
        guard batch.faults.count > before else { return }
        batch.faults.sort { ($0.entity, $0.row) < ($1.entity, $1.row) }
    }
}

extension RecordBatch {
    /// A typed value as an address has it; nil: it has none.
    func text(of cell: Cell) -> String? {
        switch cell.kind {
        case .integer: String(cell.integer)
        case .real: "\(cell.real)"
        case .text: arena.text(of: cell)
        default: nil
        }
    }

    /// A typed value as a feed would have it.
    fileprivate func literal(_ cell: Cell) -> Literal {
        switch cell.kind {
        case .integer, .real: text(of: cell).map(Literal.number) ?? .null
        case .text: .text(arena.text(of: cell))
        default: .null
        }
    }
}
