// What `absent` means, asked as questions: a further case is answered here, and nowhere is it forgotten.
extension Entity {
    /// Whether objects that the feed lacks are marked, so that the table has a column for it.
    @inlinable
    package var marksAbsent: Bool {
        switch absence.choice {
        case .mark: true
        case .keep, .delete: false
        }
    }

    /// Whether objects that the feed lacks are deleted.
    @inlinable
    package var deletesAbsent: Bool {
        switch absence.choice {
        case .delete: true
        case .keep, .mark: false
        }
    }

    /// Whether objects that the feed lacks go in one way or the other: it must be known which these are.
    @inlinable
    package var removesAbsent: Bool { marksAbsent || deletesAbsent }
}
