/// Whether the records of an entity come in the order in which their objects are stored.
struct OrderWatch {
    /// The part of a batch that comes out of order where its records do: a few new ones among others are in no other.
    private static let partOutOfOrder = 4

    /// Objects that were looked up by their identifiers, as their records came out of order.
    private(set) var lookedUp = 0

    /// Counts how many rows of a batch were looked up by their identifiers.
    mutating func count(lookedUp count: Int, of rows: Int) {
        if count * OrderWatch.partOutOfOrder > rows { lookedUp += count }
    }
}
