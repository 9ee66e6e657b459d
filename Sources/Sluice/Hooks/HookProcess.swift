import CSluiceSpawn
import Glibc
import SluicePosix
import SluiceRecords
import SluiceReport

/// A program that a hook starts, and what becomes of it.
struct HookProcess {
    /// How a program ended.
    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
        /// It took longer than it may, and was ended.
        case timeout
        /// The process that started it was asked to end.
        case cancelled
        /// It could not be started.
        case failed(String)
    }

    var arguments: [String]
    /// `NAME=value`
    var environment: [String]
    /// Where it works; a program with a slash in its name is relative to it.
    var folder: String
    /// A file that becomes its standard input, read from its beginning.
    var input: TemporaryFile
    /// What becomes its standard output and standard error.
    var output: Int32

    /// Between two looks at the program, in microseconds.
    private static let pause: UInt32 = 10_000
    /// What a program has to end itself, in seconds.
    private static let grace = 1.0

    /// Starts the program and waits until it has ended.
    func run(timeout: Double, isCancelled: () -> Bool) -> Ending {
        var process = pid_t()
        let code = spawn(&process)
        guard code == 0 else { return .failed(Failure.reason(errno: code)) }
        let began = Timestamp.now
        while true {
            if let ending = ending(of: process) { return ending }
            let isLate = Timestamp.now.secondsSince(began) > timeout
            if isLate || isCancelled() {
                end(process)
                return isLate ? .timeout : .cancelled
            }
            usleep(HookProcess.pause)
        }
    }

    private func ending(of process: pid_t) -> Ending? {
        var status: Int32 = 0
        let waited = unsafe waitpid(process, &status, WNOHANG)
        if waited == 0 || waited < 0 && errno == EINTR { return nil }
        guard waited == process else { return .failed(Failure.reason(errno: errno)) }
        let signal = status & 0x7f
        return signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
    }

    /// Ends the program, and those that it started: kindly at first.
    private func end(_ process: pid_t) {
        _ = kill(-process, SIGTERM)
        let began = Timestamp.now
        while ending(of: process) == nil {
            if Timestamp.now.secondsSince(began) > HookProcess.grace { _ = kill(-process, SIGKILL) }
            usleep(HookProcess.pause)
        }
        _ = kill(-process, SIGKILL)
    }

    /// Starts the program in a group of its own. It inherits nothing but the standard files, and no signal is blocked or
    /// ignored for it.
    private func spawn(_ process: inout pid_t) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawn_file_actions_addchdir_np(&actions, folder)
        unsafe posix_spawn_file_actions_adddup2(&actions, input.descriptor, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        return unsafe posix_spawnp(&process, arguments[0], &actions, &attributes, &words, &variables)
    }
}
