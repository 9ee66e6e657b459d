import Glibc
import Sluice
import SluicePosix
import SluiceRecords

/// Writes to standard output. A reader that went away is no reason to fail, a full disk is.
func printOutput(_ text: String) throws(Failure) {
    if !writeAll(text, to: STDOUT_FILENO), errno != EPIPE {
        throw Failure(.io, "standard output cannot be written", errno: errno)
    }
}

/// Whether standard output is a terminal that shows colours, and the user wants them (<https://no-color.org>).
var outputHasColours: Bool {
    guard outputIsTerminal else { return false }
    return (environmentVariable("NO_COLOR") ?? "").isEmpty && environmentVariable("TERM") != "dumb"
}

var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

/// The columns of the terminal that standard output is, or of one that is like most.
var outputWidth: Int {
    var size = winsize()
    let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
}

/// The columns that lists keep to where they can: those of the terminal; where standard output is none, any number.
var listWidth: Int { outputIsTerminal ? outputWidth : .max }

/// Writes a line to standard error, after the program's name.
func printError(_ message: String) { Log.standard.write(.error, message) }

/// Writes what ended a command to standard error.
func printFailure(_ failure: Failure) { Log.standard.write(failure) }

/// Writes a line to standard error.
func printNote(_ line: String) { Log.standard.plain(line.printable) }

/// A file for a report, opened before the run that it reports.
struct ReportFile {
    private let path: String
    private let file: OutputFile

    init(_ path: String) throws(Failure) {
        self.path = path
        file = try OutputFile(path, role: "report")
    }

    /// Replaces what the file holds: by a page where its name says so, else by JSON.
    ///
    /// - Parameters:
    ///   - changes: what the run has changed, for a page; nil: the store keeps no history.
    ///   - diagram: the entities, for a page.
    func write(_ report: RunReport, _ changes: RunChanges?, _ diagram: ModelDiagram) throws(Failure) {
        guard ReportFile.isPage(path) else { return try write(report.json) }
        try write(report.page(with: changes?.first(), diagram: diagram))
    }

    /// Whether a name asks for a page.
    static func isPage(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".html") || name.hasSuffix(".htm")
    }

    /// Replaces what the file holds.
    func write(_ text: String) throws(Failure) {
        guard file.write(Array(text.utf8)) else { throw file.failure(.io) }
        try file.publish()
    }
}

/// A file that is not there yet.
struct UnwrittenFile {
    private let path: String
    /// What else can be done where there is such a file already.
    private let hint: String

    init(_ path: String, hint: String) { (self.path, self.hint) = (path, hint) }

    func write(_ text: String) throws(Failure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw Failure(.uncreatable, "\(path) exists, and is not replaced\(hint)") }
            throw Failure.unwritable("\(path) cannot be written", path, errno: errno)
        }
        defer { close(descriptor) }
        if !writeAll(text, to: descriptor) { throw Failure(.io, "\(path) cannot be written", errno: errno) }
    }
}
