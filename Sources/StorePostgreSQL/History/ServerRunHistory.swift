/// What the run under way must hold to keep the past of the objects.
struct ServerRunHistory {
    /// Whether the store keeps a past.
    var isKept = false
    /// By entity: the number of the table of which it is noted where records stood.
    var placeNumbers: [Int: Int64] = [:]
    /// By number: those of tables that the run has made, which get their keys at its end.
    var newPlaces: [Int64: NewPlaces] = [:]
    /// By entity: the highest objectID that any object has had, where the past is kept.
    var highestEver: [Int: Int64] = [:]
}
