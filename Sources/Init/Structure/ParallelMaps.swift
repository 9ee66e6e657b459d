import SluiceRecords

/// Maps of values beside one another that have the same keys: the columns of one table, as exports of data frames write
/// them: `{ "sku": { "0": "A1", "1": "A2" }, "price": { "0": 9.5, "1": 11 } }`.
struct ParallelMaps {
    private static let fewestKeys = 3

    /// The ways to the maps.
    let places: [[ShapeStep]]

    /// Those of a feed.
    ///
    /// - Parameter entities: all of the draft, with those that were dropped.
    static func all(of feed: SurveyedFeed, _ entities: [DraftEntity]) -> [ParallelMaps] {
        let maps = entities.filter { entity in
            entity.place.feed == feed.index && entity.isOfValues && !entity.isDropped && key(of: entity) != nil
                && entity.place.steps.last == .anyMember
        }
        let groups = Dictionary(grouping: maps) { $0.place.steps.dropLast(2) }
        return groups.values.compactMap(ParallelMaps.init).sorted { $0.places[0].count < $1.places[0].count }
    }

    /// Nil: they are no columns of one table.
    private init?(_ maps: [DraftEntity]) {
        guard maps.count > 1, let first = ParallelMaps.key(of: maps[0]),
            first.facts.sketch.distinct >= Double(ParallelMaps.fewestKeys)
        else { return nil }
        let areAlike = maps.dropFirst().compactMap(ParallelMaps.key).allSatisfy { other in
            let (one, back) = (
                first.facts.sketch.comparison(with: other.facts.sketch),
                other.facts.sketch.comparison(with: first.facts.sketch)
            )
            return one.found == one.values && back.found == back.values
        }
        guard areAlike else { return nil }
        places = maps.map { Array($0.place.steps.dropLast()) }
    }

    private static func key(of entity: DraftEntity) -> DraftColumn? {
        entity.columns.first { $0.isKey && $0.cut == nil }
    }
}
