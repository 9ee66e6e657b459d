import Foundation
import TestSupport
import Testing

/// Objects that many items tell of: these are known where all say the same, and all of it. Each night is run twice, as
/// those of `FingerprintPropertyTests`.
@Suite struct SharedObjectTests {
    @Test(
        "Whatever items say of objects, what is known is what a run in full makes of it",
        arguments: SeededRandom.seeds(5..<9))
    func nights(seed: Int) throws {
        var scene = SharedObjectScene(seed: seed)
        let stores = try NightStores(
            scene.definition, seed % 8 == 5 ? .postgresql : .sqlite, filterBytes: [nil, 0, 1 << 20][seed % 3])
        for night in 0..<25 {
            if night > 0 { scene.change(night: night) }
            _ = try stores.run(scene, "seed \(seed), night \(night)")
        }
    }

    /// One item of ten says something else of their owner: the first, one between, or the last.
    struct Deviation: CustomTestStringConvertible {
        var words: SharedObjectScene.Words
        var place: Int
        var duplicates: String
        var onAbsent: String
        var batchSize: Int

        static let all = [SharedObjectScene.Words.other, .partial, .null].flatMap { words in
            [0, 9].flatMap { place in
                ["first", "last"].map {
                    Deviation(
                        words: words, place: place, duplicates: $0, onAbsent: words == .null ? "null" : "keep",
                        batchSize: words == .other || place == 0 ? 3 : 5000)
                }
            }
        }

        var testDescription: String { "\(words) at \(place), \(duplicates), \(onAbsent), \(batchSize)" }

        var definition: String {
            SharedObjectScene.definition(
                batchSize: batchSize, owner: #""repeats": true, "duplicates": "\#(duplicates)","#, onAbsent: onAbsent,
                isTarget: words != .null)
        }
    }

    @Test("One of many items that says something else is noticed", arguments: Deviation.all)
    func oneDeviates(deviation: Deviation) throws {
        let usual = SharedObjectScene(items: 30, owners: 3)
        var other = usual
        other.items[deviation.place * 3].owners[0].words = deviation.words
        for start in [usual, other] {
            let stores = try NightStores(deviation.definition, .sqlite, filterBytes: deviation.place > 0 ? 0 : nil)
            var known: [Int] = []
            let scenes = [start, start, start, start, other, other, other, usual]
            for (night, scene) in scenes.enumerated() {
                var scene = scene
                // Each night is read: what never changes at all is not.
                scene.items[20].note = night
                known.append(try stores.run(scene, "night \(night)", isTried: false))
            }
            // By the fourth night items are known, but for those of the owner of whom not all say the same.
            #expect(known[3] >= (start.items[0].owners == usual.items[0].owners ? 20 : 10), "\(known)")
        }
    }

    /// What may be known of objects with one record each is not less: some say nothing of an attribute, and all change.
    @Test func objectsOfOneRecordAreKnown() throws {
        var scene = SharedObjectScene(items: 30, owners: 30)
        let stores = try NightStores(
            SharedObjectScene.definition(
                batchSize: 5000, owner: #""repeats": true,"#, onAbsent: "keep", isTarget: true),
            .sqlite, filterBytes: nil)
        var known: [Int] = []
        for night in 0..<7 {
            if night == 3 {
                for index in scene.items.indices { scene.items[index].owners[0].words = [.partial, .other][index % 2] }
            }
            // Behind a record that says less, one that says all is a conflict, be the former known.
            if night == 5 { scene.items[29].owners = [.init(number: 22, words: .usual)] }
            scene.items[20].note = night
            known.append(try stores.run(scene, "night \(night)"))
        }
        #expect(known[1] > 40 && known[2] > 40 && known[3] == 0 && known[4] > 40, "\(known)")
    }

    /// Copies have been given numbers before it was known that they are some.
    @Test(arguments: [0, 1 << 20]) func copiesOfAFirstImportHaveNoObject(filterBytes: Int) throws {
        var scene = SharedObjectScene(items: 30, owners: 3)
        scene.items[29].owners = [.init(number: 0, words: .usual), .init(number: 7, words: .usual)]
        let stores = try NightStores(
            SharedObjectScene.definition(
                batchSize: 5000, owner: #""repeats": true, "absent": "delete","#, onAbsent: "keep", isTarget: false),
            .sqlite, filterBytes: filterBytes)
        for night in 0..<4 {
            scene.items[20].note = night
            _ = try stores.run(scene, "night \(night)")
        }
    }
}

extension NightStores {
    /// Runs a night of a scene on both, see `run(_:isTried:)`.
    fileprivate func run(_ scene: SharedObjectScene, _ place: String, isTried: Bool = true) throws -> Int {
        let feed = try scene.feed()
        for folder in folders { try feed.write(to: URL(fileURLWithPath: folder + "/feed.ndjson")) }
        return try run(place, isTried: isTried)
    }
}
