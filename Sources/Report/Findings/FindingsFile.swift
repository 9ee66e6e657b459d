import Glibc
import SluicePosix
import SluiceRecords

/// The file that takes the findings of a run, a line each: all of one run, or those of the run before.
package final class FindingsFile {
    private static let bufferSize = 1 << 16

    private let file: OutputFile
    /// Whether to give up a reader that takes nothing.
    private let isStopped: () -> Bool
    private var buffer: [UInt8] = []
    /// Why nothing more is written.
    private(set) var failure: Failure?
    /// Whether the reader of a pipe went away: no reason to fail.
    private var isAbandoned = false

    /// - Parameter isStopped: asked while a pipe takes nothing: whether the run is to end.
    package init(_ path: String, isStopped: @escaping () -> Bool = { false }) throws(Failure) {
        self.isStopped = isStopped
        file = try OutputFile(path, role: "findings", isStopped: isStopped)
    }

    package var path: String { file.path }

    /// Findings that are sent elsewhere as a whole, see ``OutputFile``.
    package init(sentTo place: String, _ send: @escaping (CInt, UInt64) throws(Failure) -> Void) throws(Failure) {
        isStopped = { false }
        file = try OutputFile(sentTo: place, role: "findings", send)
    }

    /// Whether what is written can be read at once, and not taken back.
    package var isWrittenInPlace: Bool { file.isWrittenInPlace }

    /// Appends a line. What goes wrong is remembered, see ``check()``.
    func write(_ line: String) {
        buffer += line.utf8
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= FindingsFile.bufferSize { flush() }
    }

    /// Throws what has gone wrong so far.
    func check() throws(Failure) {
        if let failure { throw failure }
    }

    /// Writes what is still in memory.
    package func finish() throws(Failure) {
        flush()
        try check()
    }

    /// Gives the file its name, in place of what had it.
    package func publish() throws(Failure) {
        try finish()
        try file.publish()
    }

    private func flush() {
        if failure == nil, !isAbandoned, !file.write(buffer, unless: isStopped) {
            switch errno {
            case EPIPE: isAbandoned = true
            case ECANCELED: failure = Failure(.cancelled, "the run was cancelled")
            default: failure = file.failure(.io)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
