import Foundation
import SluiceStore
import TestSupport
import Testing

@Suite("Objects are found by words and places")
struct FindingTests {
    private static func feed(_ random: inout SeededRandom, _ count: Int) -> String {
        let words = ["Ost", "Kreuz", "Köln", "Alex", "U-Bahn", "Straße", "\\\"quote", "50%"]
        func degrees(_ close: ClosedRange<Double>, _ any: ClosedRange<Double>) -> Double {
            Double.random(in: Bool.random(using: &random) ? close : any, using: &random)
        }
        let spots = (0..<count).map { id -> String in
            let name = (0..<2).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
            let latitude = id % 3 == 0 ? degrees(-0.01...0.01, -1...1) : degrees(89.99...90, -95...95)
            let longitude = degrees(179.99...180, -185...185)
            return """
                {"id": \(id), "name": "\(name)", "latitude": \(id % 9 == 0 ? "null" : "\(latitude)"), "longitude": \(longitude)}
                """
        }
        return #"{"spots": [\#(spots.joined(separator: ","))]}"#
    }

    /// How far two places are, by vectors.
    private func distance(_ one: (Double, Double), _ other: (Double, Double)) -> Double {
        func vector(_ place: (Double, Double)) -> [Double] {
            let (y, x) = (place.0 * .pi / 180, place.1 * .pi / 180)
            return [cos(y) * cos(x), cos(y) * sin(x), sin(y)]
        }
        let chord = zip(vector(one), vector(other)).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
        return 2 * asin(min(1, chord / 2)) * 6_371_008.8
    }

    @Test(
        "Near a place is what a naive reading finds, around poles and the line of the date",
        arguments: SeededRandom.seeds(1..<3), StorePlace.allCases)
    func near(_ seed: Int, place: StorePlace) async throws {
        var random = SeededRandom(seed)
        let scene = try await StoreScene(in: place)
        try await scene.load(Self.feed(&random, 300))
        try await scene.load(Self.feed(&random, 320))
        let store = try scene.open(.read)
        let spots = try await store.fetch(Spot.all)
        for centre in [
            (0.0, 0.0), (90, 12), (-90, 0), (0, 180), (0, -180), (0.001, 179.999), (52.5, 13.4), (89.995, -179.999),
        ] {
            for radius in [0, 500, 2_000, 700_000, 9_000_000, 30_000_000.0] {
                let found = try await store.near(Spot.self, centre.0, centre.1, within: radius)
                let naive = spots.filter { spot in
                    guard let y = spot.latitude, let x = spot.longitude, abs(y) <= 90, abs(x) <= 180 else {
                        return false
                    }
                    return distance(centre, (y, x)) <= radius
                }
                #expect(
                    Set(found.map(\.object.objectID)) == Set(naive.map(\.objectID)),
                    "\(centre) \(radius) \(naive.count)"
                )
                #expect(found.map(\.distance) == found.map(\.distance).sorted())
                for near in found {
                    let exact = distance(centre, (near.object.latitude ?? 0, near.object.longitude ?? 0))
                    #expect(abs(exact - near.distance) < 0.2)
                }
            }
        }
        #expect(try await store.near(Spot.self, 0, 0, within: 30_000_000, limit: 3).count == 3)
        for centre in [(91.0, 0.0), (0, 181), (.nan, 0)] {
            let error = await #expect(throws: StoreError.self) {
                try await store.near(Spot.self, centre.0, centre.1, within: 5)
            }
            #expect(error?.kind == .invalid)
        }
    }

    @Test("Words are found by how they begin, whatever else is typed", arguments: StorePlace.allCases)
    func search(place: StorePlace) async throws {
        var random = SeededRandom(7)
        let scene = try await StoreScene(in: place)
        try await scene.load(Self.feed(&random, 200))
        let store = try scene.open(.read)
        let spots = try await store.fetch(Spot.all.sorted { [$0.objectID.ascending] })
        func expected(_ beginnings: [String]) -> [ObjectID<Spot>] {
            spots.filter { spot in
                let words = (spot.name ?? "").lowercased().replacing("ö", with: "o")
                    .split { !$0.isLetter && !$0.isNumber }
                return beginnings.allSatisfy { beginning in words.contains { $0.hasPrefix(beginning) } }
            }.map(\.objectID)
        }
        for (text, beginnings) in [
            ("os", ["os"]), ("  KRE  os ", ["kre", "os"]), ("koln", ["koln"]), ("KÖL", ["kol"]), ("\"quo", ["quo"]),
            ("50%", ["50"]), ("a* OR", ["a", "or"]), ("stra & &", ["stra"]), ("bah\0", ["bah"]),
            ("u-bah", ["u", "bah"]),
        ] {
            #expect(
                try await store.search(Spot.self, text, limit: 1000).map(\.objectID) == expected(beginnings), "\(text)")
            #expect(
                try await store.search(Spot.self, text, limit: 3).map(\.objectID)
                    == Array(expected(beginnings).prefix(3)))
        }
        for text in ["", "  ", "&", "\0"] { #expect(try await store.search(Spot.self, text).isEmpty, "\(text)") }
        let error = await #expect(throws: StoreError.self) { try await store.search(Item.self, "x") }
        #expect(error?.kind == .missing)
        let none = await #expect(throws: StoreError.self) { try await store.near(Item.self, 0, 0, within: 1) }
        #expect(none?.kind == .missing)
    }

    @Test("What a program writes is found in the same transaction")
    func written() async throws {
        let scene = try await StoreScene()
        try await scene.load(#"{"spots": [{"id": 1, "name": "Ost", "latitude": 1, "longitude": 2}]}"#)
        let store = try scene.open(.write)
        try await store.write { view throws(StoreError) in
            _ = try view.insert([Spot.New(id: 2, name: "Ostern", latitude: 1.001, longitude: 2)])
            _ = try view.update(Spot.filter { $0.id == 1 }) { [$0.name.set(to: "West")] }
            #expect(try view.view.search(Spot.self, "ost").map(\.id) == [2])
        }
        #expect(try await store.near(Spot.self, 1, 2, within: 200).map(\.object.id) == [1, 2])
        _ = try await store.delete(Spot.filter { $0.id == 2 })
        #expect(try await store.search(Spot.self, "ost").isEmpty)
        #expect(try await store.near(Spot.self, 1, 2, within: 200).map(\.object.id) == [1])
    }
}
