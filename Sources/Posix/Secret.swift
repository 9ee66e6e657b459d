import Glibc
import SluiceRecords

/// A value that nobody may see: it shows up in no message, report or log.
package enum Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The value itself.
    case text(String)
    /// What a file holds, without the line's end after it. Only its owner may have access to the file.
    ///
    /// The place is where a definition names it, for messages.
    case file(String, at: Failure.Place? = nil)
    /// What a program prints, without the line's end after it: the program and its arguments, and the folder in which
    /// it works.
    case command([String], folder: String, at: Failure.Place? = nil)

    package var description: String { "***" }
    package var debugDescription: String { "***" }

    /// More is no password.
    private static let mostBytes = 64 << 10

    /// The value. Throws `missing`, `refused` or `io` where the file cannot be used.
    package func value() throws(Failure) -> String { try value(lines: false) }

    /// A value of several lines, such as a key in the form of PEM.
    package func lines() throws(Failure) -> String { try value(lines: true) }

    private func value(lines: Bool) throws(Failure) -> String {
        switch self {
        case .text(let text): return text
        case .file(let path, let place):
            do throws(Failure) {
                return try Secret.read(path, lines: lines)
            } catch {
                throw error.located(at: place)
            }
        case .command(let arguments, let folder, let place):
            do throws(Failure) {
                let bytes = try SecretCommand(arguments: arguments, folder: folder).output(most: Secret.mostBytes)
                return try Secret.text(bytes, "what the command \(arguments[0].printable) prints", lines: lines)
            } catch {
                throw error.located(at: place)
            }
        }
    }

    /// Wherever it is named: the same value is the same secret.
    package static func == (one: Secret, other: Secret) -> Bool {
        switch (one, other) {
        case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
        case (.file(let one, _), .file(let other, _)): one.utf8.elementsEqual(other.utf8)
        case (.command(let one, _, _), .command(let other, _, _)):
            one.map { ExactText($0) } == other.map { ExactText($0) }
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): hasher.combine(ExactText(text))
        case .file(let path, _): hasher.combine(ExactText(path))
        case .command(let arguments, _, _): hasher.combine(arguments.map { ExactText($0) })
        }
    }

    private static func read(_ path: String, lines: Bool) throws(Failure) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(.refused, "the secret \(path) is no file") }
        guard status.st_mode & 0o077 == 0 else {
            throw Failure(
                .refused, "the secret \(path) may be read or changed by others than its owner: chmod 600 \(path)")
        }
        guard let bytes = readAll(from: descriptor, most: mostBytes + 1) else { throw failure(path, errno) }
        guard bytes.count <= mostBytes else { throw Failure(.refused, "the secret \(path) is larger than 64 KiB") }
        return try text(bytes, "the secret \(path)", lines: lines)
    }

    /// The value that some bytes are.
    ///
    /// - Parameter what: what messages call them.
    private static func text(_ bytes: [UInt8], _ what: String, lines: Bool) throws(Failure) -> String {
        var text = bytes[...]
        while let last = text.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { text.removeLast() }
        guard !text.isEmpty else { throw Failure(.refused, "\(what) is empty") }
        let allowed: [UInt8] = lines ? [0x09, 0x0a, 0x0d] : [0x09]
        guard !text.contains(where: { $0 < 0x20 && !allowed.contains($0) || $0 == 0x7f }) else {
            throw Failure(.refused, "\(what) holds a line break or another control character")
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        switch PathFault(errno: code) {
        case .missing: return Failure(.missing, "the secret \(path) does not exist")
        case .refused: return Failure(.refused, "the secret \(path) may not be read")
        case .other: return Failure(.io, "the secret \(path) cannot be read", errno: code)
        }
    }
}
