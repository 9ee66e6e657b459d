import SluiceRecords

/// What a command says on standard error, line by line.
struct CommandComplaints {
    private let report: (String) -> Void
    private var line: [UInt8] = []
    private var lastLine = ""
    private var count = 0

    /// Lines that are told of one command, at the most.
    private static let mostLines = 1000
    /// Bytes of a line that are told.
    private static let longestLine = 500

    init(_ report: @escaping (String) -> Void) { self.report = report }

    /// The last line, for a message about the end: behind a colon, where there is one.
    var last: String { lastLine.isEmpty ? "" : ": \(lastLine)" }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                endLine()
            } else if line.count < CommandComplaints.longestLine {
                line.append(byte)
            }
        }
    }

    /// No more comes.
    mutating func end() { endLine() }

    private mutating func endLine() {
        defer { line = [] }
        let text = String(decoding: line, as: UTF8.self).printable
        guard text.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else { return }
        lastLine = text
        count += 1
        if count <= CommandComplaints.mostLines { report(text) }
        if count == CommandComplaints.mostLines + 1 { report("… says more, which is not shown") }
    }
}
