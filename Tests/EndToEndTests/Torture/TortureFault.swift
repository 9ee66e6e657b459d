import Glibc

/// A way in which calls fail.
struct TortureFault: Sendable {
    var name: String
    var kinds: FaultShim.Kinds
    /// The system's; -1: the process dies.
    var error: Int32
    /// The exit statuses that a command may have then.
    var statuses: Set<Int32>

    var isDeath: Bool { error < 0 }

    static let all = [
        // Between two calls that change nothing on the disk, each death is the same.
        TortureFault(name: "death", kinds: .changes, error: -1, statuses: [0, 137]),
        TortureFault(name: "no space", kinds: .changes, error: ENOSPC, statuses: [0, 73, 74]),
        TortureFault(name: "reading", kinds: .reading, error: EIO, statuses: [0, 74]),
        TortureFault(name: "opening", kinds: .opening, error: EMFILE, statuses: [0, 73, 74]),
        TortureFault(name: "looking", kinds: .looking, error: EIO, statuses: [0, 73, 74]),
        // To SQLite, a lock that cannot be had is one that another has.
        TortureFault(name: "locking", kinds: .locking, error: EIO, statuses: [0, 73, 74, 75]),
        TortureFault(name: "mapping", kinds: .mapping, error: ENOMEM, statuses: [0, 74]),
        TortureFault(name: "threads", kinds: .threads, error: EAGAIN, statuses: [0, 74]),
        TortureFault(name: "network", kinds: .network, error: ECONNRESET, statuses: [0, 69]),
        TortureFault(name: "memory", kinds: .memory, error: ENOMEM, statuses: [0, 74]),
    ]
}
