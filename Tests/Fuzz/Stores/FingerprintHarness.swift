import Foundation
import Sluice
import SluiceRecords

/// Damages the fingerprints that a run has left: the next run reads the whole feed then, and never a part.
///
/// Four bytes say each damage: what is done, where (of the size, in 65,536ths), and a byte.
enum FingerprintHarness {
    private static let count = 60
    private static let store = Scratch.folder + "/known.sqlite"
    private static let definition: PipelineDefinition? = try? PipelineDefinition.read(
        Array(
            """
            { "source": { "file": "known.json" }, "store": { "sqlite": "known.sqlite" }, "entities": { "Item": {
              "records": "$.items[*]", "identifier": "id", "absent": "delete",
              "attributes": { "id": "integer", "name": "text" }, "relationships": { "parent": { "to": "Item" } } } } }
            """.utf8), file: Scratch.folder + "/known.jsonc", environment: [:], checks: .all)

    /// The feed of a night: of ten items, one is another in each.
    private static let feeds = (1...2).map { night in
        let items = (0..<count).map { id in
            #"{"id":\#(id),"name":"\#(id % 10 == 0 ? night : 0) of \#(id)","parent":\#((id + 7) % count)}"#
        }
        return Scratch.write("known\(night).json", Data(#"{"items":[\#(items.joined(separator: ","))]}"#.utf8))
    }

    static func complaint(about input: [UInt8]) -> String? {
        guard let definition else { return "there is no definition" }
        clear()
        defer { clear() }
        guard run(definition, feeds[0]).exitStatus == 0, let path = fingerprints else {
            return "there are no fingerprints"
        }
        guard let sound = FileManager.default.contents(atPath: path) else { return "they cannot be read" }
        let damaged = damage(Array(sound), input[...])
        let isDamaged = damaged != Array(sound)
        // In place: the file stays the one that it was.
        if isDamaged, (try? Data(damaged).write(to: URL(fileURLWithPath: path))) == nil {
            return "they cannot be damaged"
        }
        let report = run(definition, feeds[1])
        guard report.exitStatus == 0, let item = report.entities.first(where: { $0.name == "Item" }) else {
            return "a run ends with \(report.exitStatus): \(report.outcome.error.map(\.description) ?? "")"
        }
        let counts = item.counts
        guard counts.records == count, counts.updated == count / 10, counts.unchanged == count - count / 10,
            counts.deleted == 0
        else { return "a run counts \(counts)" }
        let known = report.known
        if !isDamaged, known < count / 2 { return "a run knows \(known) records" }
        return nil
    }

    private static func run(_ definition: PipelineDefinition, _ feed: String) -> RunReport {
        var options = RunOptions()
        options.feeds = [.init(source: nil, file: feed)]
        options.store = store
        return PipelineRun(checked: definition, options: options).perform()
    }

    private static var fingerprints: String? {
        let names = try? FileManager.default.contentsOfDirectory(atPath: Scratch.folder)
        return names?.first { $0.hasPrefix("known.sqlite.fingerprints-") }.map { Scratch.folder + "/" + $0 }
    }

    private static func clear() {
        Scratch.remove("known.sqlite", "known.sqlite-wal", "known.sqlite-shm", "known.sqlite-journal")
        if let fingerprints { try? FileManager.default.removeItem(atPath: fingerprints) }
    }

    private static func damage(_ sound: [UInt8], _ input: ArraySlice<UInt8>) -> [UInt8] {
        var (bytes, rest) = (sound, input)
        while rest.count >= 4, !bytes.isEmpty {
            let four = Array(rest.prefix(4))
            rest = rest.dropFirst(4)
            let place = (Int(four[1]) << 8 | Int(four[2])) * bytes.count >> 16
            switch four[0] % 6 {
            case 0, 1: bytes[place] = four[3]
            case 2: bytes[place] ^= 1 << (four[3] % 8)
            // A number of eight bytes.
            case 3: for byte in 0..<8 where place / 8 * 8 + byte < bytes.count { bytes[place / 8 * 8 + byte] = four[3] }
            case 4: bytes.removeLast(bytes.count - place)
            default: bytes += bytes.prefix(place)
            }
        }
        return bytes
    }
}
