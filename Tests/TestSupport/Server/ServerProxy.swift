import Foundation
import Glibc
import Synchronization

/// Stands between clients and the tests' own server, notes what clients ask, and cuts their connections where a test
/// says so.
package final class ServerProxy: Sendable {
    /// What a client has sent: one message of PostgreSQL's protocol.
    package struct Message: Sendable {
        /// From 1, among those of all connections.
        package var number: Int
        /// From 1.
        package var connection: Int
        /// Its letter; `!`: the first of a connection, which has none.
        package var kind: Character
        /// The statement; of other messages, nothing.
        package var sql: String

        /// Whether the client waits for an answer: it takes the time there and back.
        package var awaitsAnswer: Bool { "!QSc".contains(kind) }
        /// Whether the client wants an answer by and by. What it waits for next comes behind this answer.
        fileprivate var wantsAnswer: Bool { kind == "H" }
    }

    /// What becomes of a message, and of its connection.
    package enum Fate: Sendable {
        case passes
        /// The server does not see it, and the connection is cut.
        case isLost
        /// The server sees a part of it only.
        case isTorn
        /// The server sees it, but the client no answer.
        case isUnanswered
        /// The server does not see it, and nobody is told: the network is silent.
        case vanishes
    }

    /// Where the socket is, as `host` has it.
    package let folder: String
    private let listener: Int32
    private let target: String
    private let fate: @Sendable (Message) -> Fate
    private let state = Mutex<(connections: Int, messages: [Message])>((0, []))

    /// - Parameters:
    ///   - server: where the server's socket is.
    ///   - fate: is asked about each message before it is passed on, on a thread of its connection.
    package init(to server: String, fate: @escaping @Sendable (Message) -> Fate = { _ in .passes }) throws {
        target = server + "/.s.PGSQL.5432"
        self.fate = fate
        folder = "/tmp/sluice-proxy-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        guard unsafe ServerProxy.withAddress(folder + "/.s.PGSQL.5432", { unsafe bind(listener, $0, $1) }) == 0,
            listen(listener, 16) == 0
        else { throw Cluster.Unavailable(reason: "no socket in \(folder)") }
        let proxy = Unowned(self)
        Thread.detachNewThread { ServerProxy.accept(listener) { proxy.object?.connect($0) } }
    }

    deinit {
        // This wakes the thread that waits for clients.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Threads that wait do not keep a proxy.
    private final class Unowned: @unchecked Sendable {
        // Unchecked: a weak reference is read only.
        weak var object: ServerProxy?
        init(_ object: ServerProxy) { self.object = object }
    }

    /// What clients have sent until now.
    package var messages: [Message] { state.withLock { $0.messages } }

    /// How often a client has waited for an answer, at most. One that it has asked for ahead takes no time of its own
    /// if it waits for another one before it asks for the next.
    package var roundTrips: Int {
        var (count, isWanted) = (0, false)
        for message in messages {
            if message.awaitsAnswer {
                count += 1
                isWanted = false
            } else if message.wantsAnswer {
                count += isWanted ? 1 : 0
                isWanted = true
            }
        }
        return count + (isWanted ? 1 : 0)
    }

    // MARK: Connections

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            unsafe place.copyBytes(from: path.utf8.prefix(place.count - 1))
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func accept(_ listener: Int32, _ connect: (Int32) -> Void) {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            if client < 0 { return }
            connect(client)
        }
    }

    private func connect(_ client: Int32) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isThere = unsafe ServerProxy.withAddress(target) { unsafe Glibc.connect(server, $0, $1) } == 0
        let line = Line(client: client, server: server)
        guard isThere else { return line.cut() }
        Thread.detachNewThread { line.passAnswers() }
        let connection = state.withLock { state in
            state.connections += 1
            return state.connections
        }
        Thread.detachNewThread { [weak self] in
            var isFirst = true
            while let bytes = line.nextMessage(isFirst: isFirst) {
                guard let self else { break }
                let message = self.note(bytes, connection, isFirst)
                isFirst = false
                if !line.pass(bytes, self.fate(message)) { break }
            }
            line.cut()
        }
    }

    private func note(_ bytes: [UInt8], _ connection: Int, _ isFirst: Bool) -> Message {
        let kind = isFirst ? "!" : Character(Unicode.Scalar(bytes[0]))
        // The statement of a query; of one that is prepared, the name comes first.
        let fields = bytes.dropFirst(5).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        let sql = kind == "Q" ? fields.first : kind == "P" ? fields.dropFirst().first : nil
        return state.withLock { state in
            let message = Message(
                number: state.messages.count + 1, connection: connection, kind: kind,
                sql: sql.map { String(decoding: $0, as: UTF8.self) } ?? "")
            state.messages.append(message)
            return message
        }
    }
}

/// The two sockets of a connection.
private final class Line: Sendable {
    private let client: Int32
    private let server: Int32
    /// Whether answers go no further. A thread that passes an answer on holds the lock.
    private let isCut = Mutex(false)

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
    }

    deinit {
        close(client)
        close(server)
    }

    func cut() {
        isCut.withLock { $0 = true }
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    /// Nil: the client sends nothing more.
    func nextMessage(isFirst: Bool) -> [UInt8]? {
        guard var bytes = read(isFirst ? 4 : 5) else { return nil }
        let length = bytes.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        guard let rest = read(length - 4) else { return nil }
        bytes += rest
        return bytes
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let more = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(client, buffer.baseAddress.map { unsafe $0 + done }, count - done)
            }
            guard more > 0 else { return nil }
            done += more
        }
        return bytes
    }

    /// Passes a message to the server, as far as its fate lets it. Returns whether the connection goes on.
    func pass(_ bytes: [UInt8], _ fate: ServerProxy.Fate) -> Bool {
        switch fate {
        case .passes: return Line.write(bytes, bytes.count, to: server)
        case .isLost: return false
        case .isTorn:
            _ = Line.write(bytes, bytes.count - 2, to: server)
            return false
        case .isUnanswered:
            isCut.withLock { $0 = true }
            _ = Line.write(bytes, bytes.count, to: server)
            return false
        case .vanishes: return true
        }
    }

    private static func write(_ bytes: [UInt8], _ count: Int, to socket: Int32) -> Bool {
        var done = 0
        while done < count {
            let more = unsafe bytes.withUnsafeBytes { buffer in
                unsafe send(
                    socket, buffer.baseAddress.map { unsafe $0 + done }, count - done, Int32(MSG_NOSIGNAL))
            }
            guard more > 0 else { return false }
            done += more
        }
        return true
    }

    func passAnswers() {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(server, $0.baseAddress, $0.count) }
            let isPassed = count > 0 && isCut.withLock { !$0 && Line.write(bytes, count, to: client) }
            if !isPassed { return cut() }
        }
    }
}
