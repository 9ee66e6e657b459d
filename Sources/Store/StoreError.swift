import SluiceRecords

/// What keeps a store from being read or written: what went wrong, in one plain sentence, and with which statement.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// Another program, or a run, holds the store. The sentence names the run.
        case busy
        /// The task was cancelled.
        case cancelled
        /// There is no such file, table or object.
        case missing
        /// The store does not fit the types of the program, or is no store.
        case incompatible
        /// A value is not what its attribute takes.
        case invalid
        /// What is there contradicts what was to be written: an identifier that another object has, or an attribute
        /// that somebody else has changed.
        case conflict
        /// A reference leads to no object.
        case reference
        /// The store must not be written: it is a seed, or was opened for reading.
        case readOnly
        /// Permission is lacking, or a signature.
        case refused
        /// What came over the network or out of a file is not what it should be.
        case data
        /// A service cannot be reached.
        case unavailable
        /// Reading or writing failed, or the store is damaged.
        case io
        /// The program's own statement is wrong.
        case statement
        /// A defect in sluice.
        case defect
    }

    /// What went wrong.
    public var kind: Kind
    /// A sentence without a full stop at its end.
    public var message: String
    /// The statement, where it is the program's own, or ours and of interest; its values are none of its text.
    public var sql: String?

    /// An error, as a program may throw it out of a closure that reads or writes, too.
    public init(_ kind: Kind, _ message: String, sql: String? = nil) {
        self.kind = kind
        self.message = message
        self.sql = sql
    }

    /// The sentence.
    public var description: String { message }

    static var cancelled: StoreError { StoreError(.cancelled, "the task was cancelled") }

    /// Of what a program would get by its texts, two that the store tells apart by their bytes.
    static func twins(_ key: some Sendable) -> StoreError {
        StoreError(.invalid, "two values are \(key): to Swift their characters are the same, and their bytes are not")
    }
}

extension StoreError {
    /// What a stage below says, in the words of this module.
    package init(_ failure: Failure) {
        let kind: Kind =
            switch failure.kind {
            case .busy: .busy
            case .cancelled: .cancelled
            case .missing: .missing
            case .definition: .incompatible
            case .data: .data
            case .unavailable: .unavailable
            case .refused: .refused
            case .io, .uncreatable: .io
            case .usage: .statement
            case .defect: .defect
            }
        self.init(kind, failure.message)
    }
}

/// Does something of a stage below.
package func stored<Result>(_ body: () throws(Failure) -> Result) throws(StoreError) -> Result {
    do throws(Failure) {
        return try body()
    } catch {
        throw StoreError(error)
    }
}
