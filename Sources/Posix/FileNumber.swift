import Glibc

/// Which file something is, whatever its name.
package struct FileNumber: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt

    package init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }

    /// The file that a name leads to; nil if there is none.
    package init?(following path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file that has a name, which may be a symbolic link; nil if there is none.
    package init?(named path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// An open file.
    package init?(descriptor: CInt) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// What tells a file from another one, and from itself after a change.
package struct FileState: Hashable, Sendable {
    package let number: FileNumber
    private let size: Int
    private let changed: [Int]

    package init(_ status: stat) {
        number = FileNumber(status)
        size = Int(status.st_size)
        changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }

    /// Of the file that a name leads to; nil if there is none.
    package init?(following path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether the file of that name is this one, but has changed.
    package func hasChanged(_ path: String) -> Bool {
        guard let now = FileState(following: path) else { return false }
        return now.number == number && now != self
    }
}
