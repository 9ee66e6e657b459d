import SluiceExtract
import SluiceRecords
import Synchronization

/// The values that records take of those for which a service was asked (`$for.name`): no answer has them.
final class ParentValues: Sendable {
    private struct Source {
        /// The attributes that records take.
        var names: [String]
        /// By page: the values, in the order of the names.
        var pages: [[Literal]] = []
    }

    /// By entity: the slots that take a value, with the attribute's name.
    private let slots: [[(slot: Int, name: String)]]
    private let sources: Mutex<[Int: Source]>

    init(_ inputs: [FeedInput], _ model: Model) {
        slots = model.entities.map(\.requestSlots)
        var sources: [Int: Source] = [:]
        for (index, input) in inputs.enumerated() {
            let names = model.requestNames(of: index)
            guard !names.isEmpty else { continue }
            var source = Source(names: names)
            // A replay has them from the archive.
            source.pages = input.parents.map { parent in names.map { name in parent[ExactText(name)] ?? .null } }
            sources[index] = source
        }
        self.sources = Mutex(sources)
    }

    /// Notes of which record the next page of a source is.
    func append(_ values: [Literal], to source: Int) {
        sources.withLock { $0[source]?.pages.append(values) }
    }

    /// The values of a page, as they are archived; nil: nothing takes any.
    func json(of source: Int, page: Int) -> String? {
        sources.withLock { sources in
            guard let source = sources[source], source.pages.indices.contains(page) else { return nil }
            return JSONText.object(
                zip(source.names, source.pages[page]).map { name, value in (name, value.json) })
        }
    }

    /// Puts the values into the records of a batch, before it is transformed.
    func fill(_ batch: RecordBatch) {
        guard sources.withLock({ !$0.isEmpty }) else { return }
        for section in batch.sections where !slots[section.entity].isEmpty {
            sources.withLock { sources in
                for row in 0..<section.count {
                    let position = section.positions[row]
                    guard let source = sources[Int(position.source)], Int(position.file) < source.pages.count else {
                        continue
                    }
                    for (slot, name) in slots[section.entity] {
                        guard let place = source.names.firstIndex(where: { $0.isIdentical(to: name) }) else { continue }
                        let value = source.pages[Int(position.file)][place]
                        section.raw[row * section.slotCount + slot] = batch.cell(of: value)
                    }
                }
            }
        }
    }
}

extension Entity {
    /// The slots of values of the record for which a service was asked.
    fileprivate var requestSlots: [(slot: Int, name: String)] {
        slots.enumerated().compactMap { index, slot in
            guard slot.path.root == .request, case .name(let name)? = slot.path.steps.first else { return nil }
            return (index, name)
        }
    }
}

extension Model {
    /// The attributes that records of a source take of the record for which a service was asked, each once.
    func requestNames(of source: Int) -> [String] {
        var names: [String] = []
        for entity in entities where entity.sources.contains(source) {
            for (_, name) in entity.requestSlots where !names.containsExactly(name) { names.append(name) }
        }
        return names
    }
}

extension RecordBatch {
    /// A value as the reader would have taken it from a feed.
    fileprivate func cell(of value: Literal) -> Cell {
        switch value {
        case .null: .null
        case .boolean(let value): Cell(kind: value ? .yes : .no, payload: 0, length: 0)
        case .number(let text): arena.appendText(text, kind: .number)
        case .text(let text): arena.appendText(text, kind: .string)
        case .json: .null
        }
    }
}
