import SluiceFetch
import SluiceRecords
import Synchronization

/// The addresses of sources that are asked for each record of an entity: collected while these records are read.
final class ParentAddresses: Sendable {
    private struct Collected {
        let source: String
        let entity: Int
        let attributes: [String]
        let address: ParentAddress
        var addresses: [String] = []
        var seen: Set<String> = []
    }

    /// By source.
    private let collected: Mutex<[Int: Collected]>
    private let isEmpty: Bool

    init(_ inputs: [FeedInput], _ model: Model) {
        var collected: [Int: Collected] = [:]
        for (index, input) in inputs.enumerated() {
            guard let parents = input.web?.parents else { continue }
            collected[index] = Collected(
                source: input.source.name, entity: parents.entity,
                attributes: model.entities[parents.entity].attributes.map(\.name),
                address: ParentAddress(parents.pieces))
        }
        isEmpty = collected.isEmpty
        self.collected = Mutex(collected)
    }

    /// Notes the records of a batch that has been transformed. One whose address would be another than the definition
    /// writes it is a reject.
    func add(_ batch: RecordBatch) {
        if isEmpty { return }
        collected.withLock { collected in
            for source in collected.keys.sorted() {
                guard var found = collected[source] else { continue }
                ParentAddresses.add(batch, to: &found)
                collected[source] = found
            }
        }
    }

    /// Those of a source so far, each once.
    func addresses(of source: Int) -> [String] { collected.withLock { $0[source]?.addresses ?? [] } }

    private static func add(_ batch: RecordBatch, to collected: inout Collected) {
        let section = batch.sections[collected.entity]
        let before = batch.faults.count
        for row in 0..<section.count where section.status[row] == .complete {
            let outcome = collected.address.outcome { attribute in
                text(section.typed[row * section.width + attribute], batch)
            }
            switch outcome {
            case .none: break
            case .address(let address):
                if collected.seen.insert(address).inserted { collected.addresses.append(address) }
            case .misfit(let attribute, let part):
                let text = part.isEmpty ? "an empty text" : "\"\(part)\""
                batch.faults.append(
                    Fault(
                        entity: section.entity, row: row, member: collected.attributes[attribute],
                        reason: "\(text) is no part of the path of an address, as the source \(collected.source) has it"
                    ))
                section.status[row] = .rejected
            }
        }
        guard batch.faults.count > before else { return }
        batch.faults.sort { ($0.entity, $0.row) < ($1.entity, $1.row) }
    }

    private static func text(_ cell: Cell, _ batch: RecordBatch) -> String? {
        switch cell.kind {
        case .integer: String(cell.integer)
        case .real: "\(cell.real)"
        case .text: batch.arena.text(of: cell)
        default: nil
        }
    }
}
