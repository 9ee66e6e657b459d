import SluiceRecords

/// What was sent to a server and is not answered yet, in libpq's pipeline mode: the server does one after the other,
/// and nobody waits before something is needed that it says.
struct ServerPipeline {
    /// What was sent, to be answered in its turn.
    struct Sent {
        enum Kind {
            case statement
            /// The statement is prepared.
            case preparation
            /// Rows that were copied: a statement outside of the mode, which has no COPY.
            case copy
            /// The end of what fails together: what follows a statement that failed is left out up to here.
            case end
        }

        var kind: Kind
        var sql: String
        /// Who asked for what it gives.
        var answer: ServerAnswer?
        /// Looks at what it gives.
        var check: ServerConnection.Check?
    }

    /// The oldest first.
    var sent: [Sent] = []
    /// Whether the connection is in the mode.
    var isOn = false
    /// Whether something was sent since the server was last told to give its answers.
    var isUnrequested = false
    /// Bytes of statements that the server may not have taken yet.
    var unsent = 0
    /// Statements that were prepared.
    var prepared = 0
    /// Whether the server was waited for in vain: nothing that it says belongs to a statement any more.
    var isAbandoned = false

    /// Statements without an answer, and bytes that the server has not taken, beyond which it is waited for.
    static let mostSent = 256
    static let mostUnsent = 1 << 20
}
