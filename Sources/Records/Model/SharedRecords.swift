// Objects that many records tell of, such as the author of each message.
extension Entity {
    /// Whether an object may have several records that are known from the run before: copies are expected, and of those that
    /// say the same nothing comes but their number.
    package var sharesKnown: Bool {
        repeats && relationships.isEmpty && duplicates != .reject && mode == .upsert && deletions.isEmpty
    }

    /// The attributes of which a record may say nothing, so that its object keeps what the store has.
    package var keptAttributes: [Int] {
        attributes.indices.filter { attributes[$0].onAbsent == .keep && !identifier.contains($0) }
    }
}
