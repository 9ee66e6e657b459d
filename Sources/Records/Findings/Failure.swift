import Glibc

/// What ends a run, or keeps it from starting: one plain sentence, and where.
public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, as the exit status of the command (sysexits.h).
    public enum Kind: Int32, Sendable, CaseIterable {
        /// The command line is wrong.
        case usage = 64
        /// The feed is not valid JSON or asks for too much, or a limit was exceeded.
        case data = 65
        /// A feed or a definition does not exist.
        case missing = 66
        /// A web service cannot be reached.
        case unavailable = 69
        /// A defect in sluice.
        case defect = 70
        /// The store, or a report, cannot be created or written to.
        case uncreatable = 73
        /// Reading or writing failed.
        case io = 74
        /// Another run or program holds the store.
        case busy = 75
        /// Permission is lacking.
        case refused = 77
        /// The definition is wrong, contradicts the store, or its store is not a database.
        case definition = 78
        /// A signal, or the program that had started it, ended the run. The command's exit status names the signal: 128
        /// and its number; this is SIGINT's.
        case cancelled = 130
    }

    /// A place in a file, or in a definition that was made in code.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// As the user named it; `-` for standard input. In a definition that was made in code: its name, and the keys
        /// that lead to the place.
        public var file: String
        /// From 1; 0 where there are no lines.
        public var line: UInt64
        /// In bytes, from 1; 0 where there are no lines.
        public var column: UInt64
        /// In bytes, from 0; of the uncompressed file.
        public var offset: UInt64

        package init(file: String, line: UInt64, column: UInt64, offset: UInt64) {
            self.file = file
            self.line = line
            self.column = column
            self.offset = offset
        }

        /// `file:line:column`, as compilers write it.
        public var description: String { line == 0 ? file : "\(file):\(line):\(column)" }
    }

    /// What went wrong.
    public var kind: Kind
    /// A sentence without a full stop at its end, without the place.
    public var message: String
    /// Where; nil: nowhere in a file.
    public var place: Place?

    package init(_ kind: Kind, _ message: String, at place: Place? = nil) {
        self.kind = kind
        self.message = message
        self.place = place
    }

    /// What the system refused, with the reason that it gave.
    ///
    /// - Parameter code: what it left in `errno`, or returned.
    package init(_ kind: Kind, _ sentence: String, errno code: CInt) {
        self.init(kind, "\(sentence): \(Failure.reason(errno: code))")
    }

    /// The same, with a place where it has none.
    package func located(at place: Place?) -> Failure { Failure(kind, message, at: self.place ?? place) }

    /// What the system says of one of its errors.
    package static func reason(errno code: CInt) -> String { unsafe String(cString: strerror(code)) }

    /// The place and the sentence.
    public var description: String {
        if let place { return "\(place): \(message)" }
        return message
    }
}
