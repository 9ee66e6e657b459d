/// Values that belong to the elements of a list in the record, be it in the elements of another list: element by
/// element, what a path matches outside of an element is not part of it.
///
/// ```
/// refs[*].id, refs[*].kind            two members of each element
/// names[?lang == "en"].name           a member, and another one that a condition looks at
/// groups[*].name, groups[*].tags[*]   each tag, and the name of the group that it is in
/// ```
public struct Elements: Hashable, Sendable {
    /// What a path finds in the elements, or around them.
    public struct Member: Hashable, Sendable {
        /// The slot with all its values, a list; it has that of an element while a rule is evaluated for it.
        public var slot: Int
        /// The slot with their places.
        public var places: Int
        /// How many levels a value is below the element of the last list on its path.
        public var rest: Int
        /// How many levels this element is above the innermost ones, which the rules are evaluated for.
        public var above: Int
        /// Whether there is an element for each of its values. Where `slot` is `places`, its values are all elements.
        public var makesElements: Bool
        /// Whether it has the key or index of the elements, and gives instead how many elements follow in the list.
        public var countsFollowing: Bool

        /// A member of elements.
        public init(
            slot: Int, places: Int, rest: Int, above: Int, makesElements: Bool = false, countsFollowing: Bool = false
        ) {
            self.slot = slot
            self.places = places
            self.rest = rest
            self.above = above
            self.makesElements = makesElements
            self.countsFollowing = countsFollowing
        }
    }

    /// A slot of a value that may stand in place of the list.
    public struct Single: Hashable, Sendable {
        /// Its index in the entity.
        public var slot: Int
        /// Whether an array in it is a value, and not the list.
        public var takesArrays: Bool

        /// From its parts.
        public init(slot: Int, takesArrays: Bool) {
            self.slot = slot
            self.takesArrays = takesArrays
        }
    }

    /// What is found in the elements, or around them.
    public var members: [Member]
    /// What an element must meet to count.
    public var conditions: [RecordCondition]

    /// Values that may stand in place of the list: where there is one, there are no elements.
    public var singles: [Single] = []

    /// Elements with these members.
    public init(members: [Member], conditions: [RecordCondition] = []) {
        self.members = members
        self.conditions = conditions
    }
}
