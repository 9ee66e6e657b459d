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
        /// The program took longer than it may, and was ended.
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

    /// Starts the program and waits until it has ended.
    func run(timeout: Double, isCancelled: () -> Bool) -> Ending {
        let program = ChildProcess(
            arguments, environment: environment, folder: folder, input: input.descriptor, output: output, errors: output
        )
        var process = StartedProcess()
        let code = program.start(&process)
        guard code == 0 else { return .failed(Failure.reason(errno: code)) }
        let began = Timestamp.now
        while true {
            switch process.ending() {
            case .status(let status): return .status(status)
            case .signal(let signal): return .signal(signal)
            case .unknown(let code): return .failed(Failure.reason(errno: code))
            case nil: break
            }
            let isLate = Timestamp.now.secondsSince(began) > timeout
            if isLate || isCancelled() {
                process.end()
                return isLate ? .timeout : .cancelled
            }
            usleep(HookProcess.pause)
        }
    }
}
