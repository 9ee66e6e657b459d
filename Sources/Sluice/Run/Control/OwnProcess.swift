import Glibc
import SluicePosix
import SluiceRecords
import SluiceStoreSQLite

/// Settings that a run changes in its own process, that of the command. Programs that use the library decide for
/// themselves.
package enum OwnProcess {
    /// To be called before anything else.
    ///
    /// - Parameter endsWithoutMemory: is told why the process ends, where there is no memory for a run.
    package static func begin(endsWithoutMemory: @escaping @Sendable (String) -> Void) {
        StandardStreams.occupy()
        // A closed pipe is an error of a write, not the end of a run.
        signal(SIGPIPE, SIG_IGN)
        // So is a file that may not grow further (ulimit -f): it is said, as a full disk is.
        signal(SIGXFSZ, SIG_IGN)
        SQLiteProcess.keepsNoStatistics()
        MemoryTraps.watch()
        OutOfMemory.whenMet(endsWithoutMemory)
    }

    /// Ends the process, and the programs that it has started: a thread may still be reading what they print.
    package static func end(_ status: Int32) -> Never {
        StartedProcess.endAll(isKind: true)
        exit(status)
    }
}
