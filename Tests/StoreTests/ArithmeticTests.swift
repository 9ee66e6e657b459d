import Foundation
import SluiceStore
import TestSupport
import Testing

/// What is calculated at the edges of 64 bits is the same in a file and on a server: a value, or an error.
@Suite("Calculation at the edges")
struct ArithmeticTests {
    private static let integers = [Int.min, Int.min + 1, -1 << 32, -2, -1, 0, 1, 2, 1 << 32, Int.max - 1, Int.max]
    private static let reals = [
        -Double.greatestFiniteMagnitude, -1e300, -1, 0, .leastNonzeroMagnitude, 1e-300, 2, 1e300,
        Double.greatestFiniteMagnitude,
    ]

    private func scene(_ values: [(stars: Int, weight: Double)], in place: StorePlace) async throws -> StoreScene {
        let scene = try await StoreScene(in: place)
        let reviews = values.enumerated().map { #"{"id": \#($0), "stars": \#($1.stars), "item": null}"# }
        let items = values.enumerated().map { #"{"item_id": \#($0), "weight": \#($1.weight)}"# }
        try await scene.load(
            #"{"reviews": [\#(reviews.joined(separator: ","))], "items": [\#(items.joined(separator: ","))]}"#)
        return scene
    }

    /// Nil: it is an error.
    private func value<Value>(_ body: () async throws -> Value) async throws -> Value? {
        do {
            return try await body()
        } catch let error as StoreError {
            #expect(error.kind == .statement, "\(error)")
            return nil
        }
    }

    @Test("Whole numbers", arguments: StorePlace.allCases) func wholeNumbers(place: StorePlace) async throws {
        let scene = try await scene(ArithmeticTests.integers.map { ($0, 0) }, in: place)
        let store = try scene.open(.read)
        for (id, one) in ArithmeticTests.integers.enumerated() {
            let object = Review.filter { $0.id == id }
            for other in ArithmeticTests.integers {
                let sum = try await value { try await store.aggregate(object) { ($0.stars + other).maximum } }
                let difference = try await value { try await store.aggregate(object) { ($0.stars - other).maximum } }
                let product = try await value { try await store.aggregate(object) { ($0.stars * other).maximum } }
                func exact(_ result: (partialValue: Int, overflow: Bool)) -> Int?? {
                    result.overflow ? .none : .some(result.partialValue)
                }
                #expect(sum == exact(one.addingReportingOverflow(other)), "\(one) + \(other)")
                #expect(difference == exact(one.subtractingReportingOverflow(other)), "\(one) - \(other)")
                #expect(product == exact(one.multipliedReportingOverflow(by: other)), "\(one) * \(other)")
            }
        }
        let none = try await value { try await store.count(Review.filter { $0.stars + 1 > 0 }) }
        #expect(none == nil)
        #expect(try await store.count(Review.filter { $0.id == 0 && $0.stars + 1 < 0 }) == 1)
    }

    @Test("Floating point", arguments: StorePlace.allCases) func floatingPoint(place: StorePlace) async throws {
        let scene = try await scene(ArithmeticTests.reals.map { (0, $0) }, in: place)
        let store = try scene.open(.read)
        for (id, one) in ArithmeticTests.reals.enumerated() {
            let object = Item.filter { $0.itemID == id }
            for other in ArithmeticTests.reals {
                let sum = try await value { try await store.aggregate(object) { ($0.weight + other).maximum } }
                #expect(sum == ((one + other).isFinite ? .some(one + other) : .none), "\(one) + \(other)")
                let product = try await value { try await store.aggregate(object) { ($0.weight * other).maximum } }
                let isLost = one * other == 0 && one != 0 && other != 0
                #expect(
                    product == ((one * other).isFinite && !isLost ? .some(one * other) : .none), "\(one) * \(other)")
                let quotient = try await value { try await store.aggregate(object) { ($0.weight / other).maximum } }
                let divided = one / other
                let isFinite = divided.isFinite && !(divided == 0 && one != 0)
                let expected: Double?? = other == 0 ? .some(nil) : isFinite ? .some(divided) : .none
                #expect(quotient == expected, "\(one) / \(other)")
            }
        }
        // The sum of all is 2 or so; those of the great ones are beyond.
        let great = try await value { try await store.aggregate(Item.filter { $0.weight > 1 }) { $0.weight.sum } }
        #expect(great == nil)
        let mean = try await value { try await store.aggregate(Item.filter { $0.weight > 1 }) { $0.weight.average } }
        #expect(mean == nil)
        #expect(try await store.aggregate(Item.filter { $0.weight == 2 }) { $0.weight.sum } == 2)
    }

    @Test("Sums are exact, whatever is on the way", arguments: StorePlace.allCases)
    func sums(place: StorePlace) async throws {
        let scene = try await scene([(Int.max, 0), (Int.max, 0), (Int.min, 0), (Int.min, 0), (7, 0)], in: place)
        let store = try scene.open(.read)
        #expect(try await store.aggregate(Review.all) { $0.stars.sum } == 5)
        #expect(try await store.aggregate(Review.filter { $0.id > 1 && $0.id < 3 }) { $0.stars.sum } == Int.min)
        for query in [Review.filter { $0.id < 2 }, Review.filter { $0.id == 0 || $0.id == 4 }] {
            let sum = try await value { try await store.aggregate(query) { $0.stars.sum } }
            #expect(sum == nil)
        }
        #expect(try await store.aggregate(Review.filter { $0.id > 99 }) { $0.stars.sum } == 0)
    }

    @Test("Durations", arguments: StorePlace.allCases) func durations(place: StorePlace) async throws {
        let scene = try await StoreScene(in: place)
        // Milliseconds, up to the last of 64 bits; an attribute with a `min` has none below zero.
        try await scene.load(
            #"""
            {"items": [{"item_id": 1, "lasts": "PT9223372036854775.807S"}, {"item_id": 2, "lasts": "PT0.001S"},
                {"item_id": 3, "lasts": "PT9223372036854775.806S"}]}
            """#)
        let store = try scene.open(.read)
        let most = Duration(units: .max, fraction: 3)
        #expect(try await store.object(Item.self, identifier: 1)?.lasts == most)
        #expect(try await store.count(Item.filter { $0.lasts == most }) == 1)
        #expect(try await store.count(Item.filter { $0.lasts < most }) == 2)
        for beyond in [most + .milliseconds(1), most + .microseconds(1), .seconds(Int64.max)] {
            #expect(try await store.count(Item.filter { $0.lasts < beyond }) == 3, "\(beyond)")
            #expect(try await store.count(Item.filter { $0.lasts > beyond }) == 0, "\(beyond)")
            #expect(try await store.count(Item.filter { $0.lasts == beyond }) == 0, "\(beyond)")
        }
        for below in [
            Duration(units: .min, fraction: 3), .seconds(Int64.min),
            Duration(units: .min, fraction: 3) - .microseconds(1),
        ] {
            #expect(try await store.count(Item.filter { $0.lasts > below }) == 3, "\(below)")
            #expect(try await store.count(Item.filter { $0.lasts <= below }) == 0, "\(below)")
        }
        #expect(try await store.aggregate(Item.filter { $0.itemID > 1 }) { $0.lasts.sum } == most)
        let sum = try await value { try await store.aggregate(Item.all) { $0.lasts.sum } }
        #expect(sum == nil)
        #expect(try await store.aggregate(Item.all) { $0.lasts.maximum } == most)
    }
}
