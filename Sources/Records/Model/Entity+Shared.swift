// Objects that many records tell of, such as the author of each message.
extension Entity {
    /// Whether an object may have several records that are known from the run before: copies are expected, and of those
    /// that say the same nothing comes but their number.
    package var sharesKnown: Bool {
        repeats && relationships.isEmpty && !duplicates.areRejected && mode.loadsAllRecords && deletions.isEmpty
    }

    /// Whether a record may say nothing of an attribute, so that its object keeps what the store has.
    package func keepsAbsent(_ attribute: Int) -> Bool {
        attributes[attribute].onAbsent.keepsValue && !identifier.contains(attribute)
    }

    /// By attribute: whether a record that says nothing of it leaves its object as it is. Whoever compares records with
    /// objects asks this of all alike; an identifier is in every record.
    package var absentKeeping: [Bool] { attributes.map { $0.onAbsent.keepsValue } }

    /// The attributes of which a record may say nothing.
    package var keptAttributes: [Int] { attributes.indices.filter(keepsAbsent) }
}
