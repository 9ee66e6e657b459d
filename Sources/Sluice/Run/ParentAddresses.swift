import SluiceFetch
import SluiceRecords
import Synchronization

/// The addresses of sources that are asked for each record of an entity: collected while these records are read.
final class ParentAddresses: Sendable {
    private struct Collected {
        let parents: WebSource.Parents
        var addresses: [String] = []
        var seen: Set<String> = []
    }

    /// By source.
    private let collected: Mutex<[Int: Collected]>
    private let isEmpty: Bool

    init(_ plans: [FeedPlan]) {
        var collected: [Int: Collected] = [:]
        for (index, plan) in plans.enumerated() {
            if let parents = plan.web?.parents { collected[index] = Collected(parents: parents) }
        }
        isEmpty = collected.isEmpty
        self.collected = Mutex(collected)
    }

    /// Notes the records of a batch that has been transformed.
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
        let section = batch.sections[collected.parents.entity]
        for row in 0..<section.count where section.status[row] == .complete {
            var address = ""
            var isWhole = true
            for piece in collected.parents.pieces {
                switch piece {
                case .text(let text): address += text
                case .attribute(let attribute):
                    let value = text(section.typed[row * section.width + attribute], batch)
                    isWhole = isWhole && value != nil
                    address += percentEncoded(value ?? "")
                }
            }
            if isWhole, collected.seen.insert(address).inserted { collected.addresses.append(address) }
        }
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
