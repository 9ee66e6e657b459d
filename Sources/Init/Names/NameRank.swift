/// How much a name is like that of an identifier, the most first. Where several ranks are weighed together, the number
/// of each is its weight: a name that is none costs more than two steps from one rank to the next.
enum NameRank: Int, Comparable {
    /// `id`, or what ends so and has the name of what it is in: `stop_id` of a stop.
    case own = 0
    /// What ends as identifiers do, and may be that of something else: `stop_id` of a trip.
    case ending = 1
    /// What identifiers are called, too: `key`, `slug`.
    case usual = 2
    /// What names things and need not be unique: `name`, `number`, `isbn`, and what ends so.
    case code = 3
    /// Any other name.
    case other = 5

    static func < (one: NameRank, other: NameRank) -> Bool { one.rawValue < other.rawValue }
}
