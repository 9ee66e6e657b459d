import Glibc

/// Which file something is, whatever its name.
struct FileNumber: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt

    private init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }

    /// The file that a name leads to; nil if there is none.
    init?(following path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file that has a name, which may be a symbolic link; nil if there is none.
    init?(named path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// An open file.
    init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}
