/// A question to a store: whether an object that a run has created has the values of another object, so that a search
/// by these values finds another object than before, or none.
package struct TwinSearch: Hashable, Sendable {
    /// The attributes of an entity, in their order; none: any object will do.
    package struct Values: Hashable, Sendable {
        package var entity: Int
        package var attributes: [Int]

        package init(entity: Int, attributes: [Int]) {
            self.entity = entity
            self.attributes = attributes
        }
    }

    /// Of objects that the run has created.
    package var new: Values
    /// The highest objectID of the entity before the run.
    package var highest: Int64
    /// Of any object.
    package var other: Values

    package init(new: Values, highest: Int64, other: Values) {
        self.new = new
        self.highest = highest
        self.other = other
    }
}
