import Glibc

/// What has come of asking for the lock of an open file, by which processes exclude one another (flock(2)).
package enum FileLock: Equatable {
    case taken
    /// Another process has it.
    case held
    /// The system cannot lock the file, for a reason of its own (`errno`).
    case failed(CInt)

    /// Asks for the lock once, and does not wait for it.
    package static func attempt(_ descriptor: CInt) -> FileLock {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            return errno == EWOULDBLOCK ? .held : .failed(errno)
        }
        return .taken
    }

    /// Whether a process has the lock of the file of a name, which need not be there; true also where that cannot be
    /// known.
    ///
    /// To find out takes a share of the lock for a moment, in which nobody gets it: who asks for it, asks twice.
    package static func isHeld(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return errno != ENOENT }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}

/// Whether a name leads to a file.
package enum FileNaming: Equatable {
    case same
    /// The name leads to another file, or to none.
    case other
    /// The system does not say, for a reason of its own (`errno`).
    case failed(CInt)

    /// - Parameter followsLinks: whether the name may be a symbolic link.
    package init(_ path: String, _ descriptor: CInt, followsLinks: Bool) {
        guard let opened = FileNumber(descriptor: descriptor) else {
            self = .failed(errno)
            return
        }
        self.init(path, opened, followsLinks: followsLinks)
    }

    /// - Parameter file: the one that was opened.
    package init(_ path: String, _ file: FileNumber, followsLinks: Bool) {
        guard let named = followsLinks ? FileNumber(following: path) : FileNumber(named: path) else {
            self = errno == ENOENT ? .other : .failed(errno)
            return
        }
        self = named == file ? .same : .other
    }
}
