import Glibc

/// Why a path does not lead to something that can be read.
package enum PathFault {
    /// Nothing is there: no file, or not even the folder that would have it.
    case missing
    /// The user may not read what is there, or not look for it.
    case refused
    case other

    /// - Parameter code: what the system left in `errno`, or returned.
    package init(errno code: CInt) {
        switch code {
        case ENOENT, ENOTDIR: self = .missing
        case EACCES, EPERM: self = .refused
        default: self = .other
        }
    }
}
