import Glibc
import SluiceRecords

/// A program that prints a secret, such as that of a password store.
struct SecretCommand {
    /// The program, and its arguments.
    let arguments: [String]
    /// Where it works; a program with a slash in its name is relative to it.
    let folder: String

    /// What it may take, in seconds: people may be asked for a passphrase.
    private static let timeout = 60.0
    /// Between two looks at it, in microseconds.
    private static let pause: UInt32 = 1000
    /// What is told of its standard error.
    private static let longestComplaint = 200

    /// What it prints, as it is. Throws `missing` where there is no such program, `refused` where it fails.
    func output(most: Int) throws(Failure) -> [UInt8] {
        let complaints = try TemporaryFile("what a command says")
        guard let pipe = openPipe() else { throw failure(.io, "cannot be started", errno) }
        var process = StartedProcess()
        let program = ChildProcess(arguments, folder: folder, output: pipe.writing, errors: complaints.descriptor)
        let code = program.start(&process)
        close(pipe.writing)
        defer { close(pipe.reading) }
        guard code == 0 else { throw failure(code == ENOENT ? .missing : .refused, "cannot be started", code) }
        let end = Monitor.now + SecretCommand.timeout
        let bytes = read(pipe.reading, most: most, until: end)
        // What it prints may have ended before it has.
        var ending: StartedProcess.Ending?
        while bytes != nil, ending == nil, Monitor.now < end {
            ending = process.ending()
            if ending == nil { usleep(SecretCommand.pause) }
        }
        guard let bytes, let ending else {
            process.end()
            throw failure(.refused, "took longer than \(Int(SecretCommand.timeout)) seconds, or printed too much")
        }
        guard ending == .status(0) else { throw failure(.refused, ending.words + words(complaints)) }
        return bytes
    }

    /// What comes until the end; nil: it takes too long, or is too much.
    private func read(_ descriptor: Int32, most: Int, until end: Double) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count <= most {
            var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = end - Monitor.now
            guard left > 0 else { return nil }
            let ready = unsafe poll(&question, 1, Int32(left * 1000) + 1)
            if ready < 0, errno != EINTR { return nil }
            guard ready > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += buffer[..<count]
        }
        return nil
    }

    /// The beginning of what it says on standard error.
    private func words(_ file: TemporaryFile) -> String {
        var buffer = [UInt8](repeating: 0, count: SecretCommand.longestComplaint)
        let count = unsafe pread(file.descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return "" }
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
        return ": " + lines.joined(separator: " ").printable
    }

    private func failure(_ kind: Failure.Kind, _ sentence: String, _ code: Int32? = nil) -> Failure {
        let text = "the command \(arguments[0].printable), which is to print a secret, \(sentence)"
        return code.map { Failure(kind, text, errno: $0) } ?? Failure(kind, text)
    }
}
