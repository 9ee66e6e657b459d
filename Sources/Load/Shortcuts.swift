/// Ways of loading that are quicker and lead to the same store; a test can do without each.
package struct Shortcuts: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Objects are first guessed from the order of the records.
    package static let sequence = Shortcuts(rawValue: 1 << 0)
    /// Targets that have not come yet are promised their objectIDs.
    package static let promises = Shortcuts(rawValue: 1 << 1)
    /// Whole records wait for their targets: not where each batch is saved for good.
    package static let deferral = Shortcuts(rawValue: 1 << 2)
    /// Records that come in another order than their objects are stored in are compared when all are read.
    package static let lateComparison = Shortcuts(rawValue: 1 << 3)

    package static let all: Shortcuts = [.sequence, .promises, .deferral, .lateComparison]
    /// Those that are possible where each batch is saved for good.
    package static let betweenSaves: Shortcuts = [.sequence]
}
