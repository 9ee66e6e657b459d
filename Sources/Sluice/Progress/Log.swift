import Glibc
import SluicePosix
import SluiceRecords
import SluiceReport
import Synchronization

/// The messages besides the report: lines on standard error, for people or for log collectors.
package final class Log: Sendable {
    /// For people, or for programs.
    package enum Format: String, CaseIterable, Sendable {
        /// `sluice: MESSAGE`
        case text
        /// A JSON object a line, with `time`, `level`, `message`, and fields.
        case json
    }

    /// How much a message matters.
    package enum Level: String, Sendable {
        case info, warning, error
    }

    /// A member of a JSON line.
    package enum Field: Sendable, Hashable {
        case text(String)
        case integer(Int)
        case real(Double)

        var json: String {
            switch self {
            case .text(let text): JSONText.quoted(text)
            case .integer(let number): String(number)
            case .real(let number): String((number * 1000).rounded() / 1000)
            }
        }
    }

    private struct State {
        var format = Format.text
        /// How long the line of progress is that stands where the next message is to come; nil: there is none.
        var line: Int?
    }

    /// The one of this process, on standard error.
    package static let standard = Log(descriptor: STDERR_FILENO)

    private let descriptor: Int32
    private let state = Mutex(State())

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// How messages are written.
    package var format: Format {
        get { state.withLock { $0.format } }
        set { state.withLock { $0.format = newValue } }
    }

    /// Says something.
    ///
    /// - Parameters:
    ///   - fields: for JSON alone: the message says them too. One that is nil is left out.
    ///   - isTimed: whether a line of text begins with the time.
    package func write(
        _ level: Level, _ message: String, _ fields: KeyValuePairs<String, Field?> = [:], isTimed: Bool = false
    ) {
        state.withLock { state in
            var line = clearing(&state)
            switch state.format {
            case .text: line += (isTimed ? Timestamp.now.text + " " : "") + "sluice: " + message.printable
            case .json: line += Log.json(level, message, fields)
            }
            put(line + "\n")
        }
    }

    /// Writes a failure that ended something early.
    package func write(_ failure: Failure) {
        guard format == .json, let place = failure.place else { return write(.error, failure.description) }
        write(
            .error, failure.message,
            [
                "file": .text(place.file), "line": .integer(Int(clamping: place.line)),
                "column": .integer(Int(clamping: place.column)), "offset": .integer(Int(clamping: place.offset)),
            ])
    }

    /// Writes a line as it is; of JSON, as a message.
    package func plain(_ line: String) {
        if format == .json { return write(.info, line) }
        state.withLock { state in
            put(clearing(&state) + line + "\n")
        }
    }

    static func json(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, Field?>) -> String {
        let head = [
            ("time", JSONText.quoted(Timestamp.now.text)), ("level", JSONText.quoted(level.rawValue)),
            ("message", JSONText.quoted(message)),
        ]
        return JSONText.object(head + fields.compactMap { field in field.value.map { (field.key, $0.json) } })
    }

    // MARK: The line of a terminal

    /// The columns of the terminal at this moment; nil: there is none, or it does not say.
    var columns: Int? {
        var size = winsize()
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
        return isKnown ? Int(size.ws_col) : nil
    }

    /// Shows a line that the next one replaces; on terminals.
    func show(line: String) {
        state.withLock { state in
            put((state.line == nil ? "\r\u{1B}[K" : clearing(&state)) + line)
            state.line = line.count
        }
    }

    /// Takes the line away.
    func hideLine() {
        state.withLock { put(clearing(&$0)) }
    }

    /// What takes the line away: back to the first column, and what stands there goes. In a window that has become
    /// narrower the line stands in several.
    private func clearing(_ state: inout State) -> String {
        guard let length = state.line else { return "" }
        state.line = nil
        let above = columns.map { max(0, length - 1) / $0 } ?? 0
        return above > 0 ? "\r\u{1B}[\(above)A\u{1B}[J" : "\r\u{1B}[K"
    }

    /// The reader of standard error may be gone, or its disk full: that changes nothing for the run.
    private func put(_ text: String) {
        _ = writeAll(text, to: descriptor)
    }
}
