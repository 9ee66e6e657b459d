import CSluiceSpawn
import Glibc
import SluiceRecords

/// The two ends of a pipe, which no program inherits; nil, with `errno`, where there can be none.
package func openPipe() -> (reading: CInt, writing: CInt)? {
    var ends: [CInt] = [-1, -1]
    return unsafe pipe2(&ends, O_CLOEXEC) == 0 ? (ends[0], ends[1]) : nil
}

/// A program that is to be started, without a shell.
package struct ChildProcess {
    /// The program, and its arguments.
    package var arguments: [String]
    /// `NAME=value`; nil: what this process has.
    package var environment: [String]?
    /// Where it works; a program with a slash in its name is relative to it.
    package var folder: String
    /// What becomes its standard input; nil: nothing is there.
    package var input: CInt?
    /// What becomes its standard output.
    package var output: CInt
    /// What becomes its standard error.
    package var errors: CInt

    package init(
        _ arguments: [String], environment: [String]? = nil, folder: String, input: CInt? = nil, output: CInt,
        errors: CInt
    ) {
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.input = input
        self.output = output
        self.errors = errors
    }

    /// Starts the program in a group of its own. It inherits nothing but the standard files, and no signal is blocked
    /// or ignored for it.
    ///
    /// - Returns: why that is not possible, as `errno` says it; 0: it has been started.
    package func start(_ process: inout StartedProcess) -> CInt {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawn_file_actions_addchdir_np(&actions, folder)
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        // Descriptors that the parent of this process has left open are not the program's either.
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe (environment ?? []).map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe variables.indices { unsafe free(variables[index]) } }
        let hasOwn = environment != nil
        return RunningPrograms.start(&process.id) { id in
            hasOwn
                ? unsafe posix_spawnp(&id, arguments[0], &actions, &attributes, &words, &variables)
                : unsafe posix_spawnp(&id, arguments[0], &actions, &attributes, &words, environ)
        }
    }
}

/// A program that was started: the code that has started it must wait for its end.
package struct StartedProcess: Sendable {
    /// How a program ended.
    package enum Ending: Sendable, Equatable {
        case status(CInt)
        case signal(CInt)
        /// That is not known: `errno` of the question.
        case unknown(CInt)

        /// What a sentence says of it whose subject is the program.
        package var words: String {
            switch self {
            case .status(let status): "ended with status \(status)"
            case .signal(let signal): "was ended by signal \(signal)"
            case .unknown(let code): "is lost: \(Failure.reason(errno: code))"
            }
        }
    }

    /// Its number, and that of its group; 0: none was started.
    package fileprivate(set) var id = pid_t()

    package init() {}

    /// How it ended; nil: it has not.
    package func ending() -> Ending? {
        var status: CInt = 0
        let waited = RunningPrograms.wait(id, &status)
        if waited == 0 || waited < 0 && errno == EINTR { return nil }
        guard waited == id else { return .unknown(errno) }
        let signal = status & 0x7f
        return signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
    }

    /// Ends the program, and those that it started: by SIGTERM, then by SIGKILL. Must not be called once ``ending()``
    /// has returned an ending.
    package func end() {
        _ = kill(-id, SIGTERM)
        let began = Monitor.now
        while ending() == nil {
            if Monitor.now - began > RunningPrograms.grace { _ = kill(-id, SIGKILL) }
            usleep(RunningPrograms.pause)
        }
        _ = kill(-id, SIGKILL)
    }

    /// Ends all programs that this process has started, and those that they started: before it ends itself.
    ///
    /// - Parameter isKind: whether they have a second to end themselves.
    package static func endAll(isKind: Bool) { RunningPrograms.endAll(grace: isKind ? RunningPrograms.grace : 0) }
}
