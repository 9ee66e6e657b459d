import SluiceExtract
import SluiceRecords

/// What a reader makes of a feed, as texts that can be compared.
package struct Extraction: Equatable, CustomStringConvertible {
    package var rows: [String] = []
    package var faults: [String] = []
    package var failure: String?
    package var statistics: FeedStatistics?
    /// By entity and path.
    package var taken: [[UInt64]] = []

    package var description: String {
        (rows + faults + [failure.map { "failure: " + $0 } ?? "ok"]).joined(separator: "\n")
    }
}

/// Reads a feed as a run does: batch by batch.
package func extract(
    _ feed: [UInt8], _ entities: [Entity], sizes: [Int] = [.max], options: FeedOptions = FeedOptions(),
    batchSizes: inout [Int]
) -> Extraction {
    let model = Model(entities: entities)
    let reader = FeedReader(model: model, source: 0, options: options)
    var extraction = Extraction()
    var batch = RecordBatch(model: model)
    do throws(Failure) {
        extraction.statistics = try reader.read(ChunkedBytes(feed, sizes: sizes), named: "feed", into: &batch) { full in
            batchSizes.append(full.rowCount)
            extraction.add(full, model)
            full.reset()
            return full
        }
    } catch {
        extraction.failure = error.place.map { "\($0) @\($0.offset): \(error.message)" } ?? error.message
    }
    if extraction.failure == nil { extraction.add(batch, model) }
    extraction.taken = reader.taken
    extraction.rows.sort()
    extraction.faults.sort()
    return extraction
}

package func extract(
    _ feed: [UInt8], _ entities: [Entity], sizes: [Int] = [.max], options: FeedOptions = FeedOptions()
) -> Extraction {
    var batchSizes: [Int] = []
    return extract(feed, entities, sizes: sizes, options: options, batchSizes: &batchSizes)
}

package func extract(
    _ feed: String, _ entities: Entity..., sizes: [Int] = [.max], options: FeedOptions = FeedOptions()
) -> Extraction {
    extract(Array(feed.utf8), entities, sizes: sizes, options: options)
}

extension FeedOptions {
    package static var lines: FeedOptions {
        var options = FeedOptions()
        options.format = .lines
        return options
    }

    /// Small numbers, so that every border is crossed.
    package func with(chunk: Int? = nil, batch: Int? = nil, maxText: Int? = nil, maxDepth: Int? = nil) -> FeedOptions {
        var options = self
        if let chunk { options.chunkSize = chunk }
        if let batch { options.batchSize = batch }
        if let maxText { options.maxText = maxText }
        if let maxDepth { options.maxDepth = maxDepth }
        return options
    }
}

extension Extraction {
    mutating func add(_ batch: RecordBatch, _ model: Model) {
        for section in batch.sections {
            let name = model.entities[section.entity].name
            for row in 0..<section.count where section.status[row] != .dropped {
                rows.append(describe(row, section, batch, name))
            }
        }
        for fault in batch.faults {
            let section = batch.sections[fault.entity]
            let number = section.positions[fault.row].record
            faults.append("\(model.entities[fault.entity].name)#\(pad(number)) \(fault.member): \(fault.reason)")
        }
    }

    private func describe(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch, _ name: String) -> String {
        let position = section.positions[row]
        let cells = (0..<section.slotCount).map { describe(section.raw[row * section.slotCount + $0], batch) }
        let place = "\(position.offset) \(position.line):\(position.column) \(position.path(in: batch.arena))"
        let status = section.status[row] == .complete ? "" : " \(section.status[row])"
        return "\(name)#\(pad(position.record)) \(place)\(status) | \(cells.joined(separator: " | "))"
    }

    private func pad(_ number: UInt64) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }

    private func describe(_ cell: Cell, _ batch: RecordBatch) -> String {
        switch cell.kind {
        case .number, .string, .json, .unlisted:
            // Every value is followed by a NUL.
            let terminator = unsafe batch.arena.base[cell.offset + cell.count]
            return "\(cell.kind)\(terminator == 0 ? "" : "!"):\(batch.arena.text(of: cell))"
        case .integer: return "integer:\(cell.integer)"
        case .list:
            var elements: [String] = []
            var index = cell.head
            for _ in 0..<cell.count {
                elements.append(describe(batch.elements[index].cell, batch))
                index = Int(batch.elements[index].next)
            }
            return "(\(elements.joined(separator: ", ")))"
        default: return "\(cell.kind)"
        }
    }
}
