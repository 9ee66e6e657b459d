import SluiceRecords
import TestSupport

/// The attributes that have had several types in a store's past: a value means the same there in each form in which it
/// is written.
struct ChangedForms {
    /// By entity, the places of the attributes.
    private let places: [Set<Int>]
    /// Those of them that have always been numbers.
    private let numbers: [Set<Int>]
    private let now: ModelStore?

    init(_ moments: [Int: NaivePast.Moment]) {
        let now = moments.keys.max().flatMap { moments[$0]?.model }
        let entities = now?.model.entities ?? []
        let places = entities.indices.map { index in
            Set(
                entities[index].attributes.indices.filter { place in
                    moments.values.contains { moment in
                        let attributes = moment.model.model.entities[index].attributes
                        return place < attributes.count
                            && attributes[place].conversion.stored
                                != entities[index].attributes[place].conversion.stored
                    }
                })
        }
        numbers = entities.indices.map { index in
            places[index].filter { place in
                moments.values.allSatisfy { moment in
                    let attributes = moment.model.model.entities[index].attributes
                    return place >= attributes.count
                        || ChangedForms.numeric.contains(attributes[place].conversion.stored.type)
                }
            }
        }
        (self.places, self.now) = (places, now)
    }

    private static let numeric: Set<AttributeType> = [.integer, .real, .decimal, .duration, .boolean]

    /// What a store held, as it would be with the types of today.
    func today(_ model: ModelStore) -> ModelStore {
        guard let now else { return model }
        var (model, changed) = (model, model.model)
        for (index, places) in places.enumerated() {
            for place in places where place < changed.entities[index].attributes.count {
                changed.entities[index].attributes[place].conversion =
                    now.model.entities[index].attributes[place].conversion
            }
        }
        model.model = changed
        return model
    }

    /// A row of what a run left with its values in one form. Reals become texts by way of decimals.
    ///
    /// - Parameter start: where the attributes begin.
    func plain(_ row: [Text], of entity: Int, at moment: NaivePast.Moment, from start: Int = 0) -> [Text] {
        var row = row
        let attributes = moment.model.model.entities[entity].attributes
        let reals = places[entity].filter { place in
            place < attributes.count && attributes[place].conversion.stored.type == .real
        }
        for place in numbers[entity].union(reals) where start + place < row.count {
            row[start + place] = ChangedForms.plain(row[start + place])
        }
        return row
    }

    /// Without zeros at the end of a fraction.
    private static func plain(_ value: Text) -> Text {
        var rest = value.description
        guard rest.contains("."), rest.last?.isNumber == true else { return value }
        while rest.hasSuffix("0") { rest.removeLast() }
        if rest.hasSuffix(".") { rest.removeLast() }
        return Text(rest)
    }
}
