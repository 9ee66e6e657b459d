import SluiceRecords
import Testing

@testable import SluiceSchema

/// Which of a store's entities one of a definition is compared with.
@Suite struct TableClaimsTests {
    /// Entities, the third of which has links, and rows that describe them.
    private let model = Model(
        entities: (0..<100).map { number in
            .forLoad(
                "E\(number)", identifier: [0], attributes: [("id", .integer)],
                relationships: number == 2 ? [.forLoad("links", [(0, [.integer])], isMany: true)] : [])
        })

    private func names(_ change: (inout Entity) -> Void) -> [String] {
        let rows = model.entities.map {
            ModelRow(pipeline: "test", description: EntityDescription($0, in: model), stored: nil)
        }
        var entity = model.entities[7]
        change(&entity)
        return TableClaims(rows).rows(concerning: entity).map(\.description.name)
    }

    @Test func thoseWithAnythingInCommon() {
        #expect(names { _ in } == ["E7"])
        #expect(names { $0.table = "e9" } == ["E7", "E9"])
        #expect(names { $0.table = "e2_LINKS" } == ["E2", "E7"])
        #expect(names { $0.name = "x" } == ["E7"])
        #expect(names { ($0.name, $0.table) = ("x", "x") } == [])
        #expect(
            names {
                ($0.name, $0.table) = ("x", "E2")
                $0.relationships = [.forLoad("links", [(0, [.integer])], isMany: true)]
            } == ["E2"])
    }
}
