import Glibc
import SluiceRecords

/// Standard input, output and error: the descriptors 0 to 2, whether the process was started with them or not.
package enum StandardStreams {
    /// Occupies those that are closed, so that no file of the process gets their numbers: what is written to standard
    /// output would land in it. To read or to write an occupied one fails, as of a closed one (`EBADF`).
    ///
    /// To be called before anything is opened.
    package static func occupy() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one. It is opened for what nobody does with it.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether standard output can be written to at all.
    package static var hasOutput: Bool {
        let flags = fcntl(STDOUT_FILENO, F_GETFL)
        return flags >= 0 && flags & O_ACCMODE != O_RDONLY
    }

    /// Whether standard output and standard error lead to the same place: a terminal, or a mail from cron.
    package static var areOne: Bool {
        var (output, errors) = (stat(), stat())
        guard unsafe fstat(STDOUT_FILENO, &output) == 0, unsafe fstat(STDERR_FILENO, &errors) == 0 else { return false }
        return FileNumber(output) == FileNumber(errors)
    }
}
