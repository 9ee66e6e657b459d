import Glibc

/// Writes bytes to an open file, all of them.
///
/// A call may write less than it was given, and a signal may end it before it has written anything: then it is called
/// again.
///
/// - Parameter offset: where in the file; nil: at its position, which moves on.
/// - Returns: false, with `errno`, where not all could be written.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at offset: Int? = nil) -> Bool {
    var done = 0
    while done < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count =
            if let offset { unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done)) } else {
                unsafe write(descriptor, rest.baseAddress, rest.count)
            }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
            // What takes nothing, and does not say why, would be asked for good.
            if count == 0 { errno = EIO }
            return false
        }
        done += count
    }
    return true
}

/// Writes bytes to an open file at its position, all of them; false, with `errno`, where that fails.
package func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe writeAll($0, to: descriptor) }
}

/// Writes bytes to a file that may accept them slowly, such as a pipe whose reader is busy; stops on request.
///
/// - Returns: false, with `errno`, where not all could be written; `ECANCELED` where it gave up.
package func writeAll(_ bytes: [UInt8], to descriptor: CInt, unless isStopped: () -> Bool) -> Bool {
    // A pipe that is ready takes so much without waiting (PIPE_BUF, see pipe(7)).
    let pieceSize = 4096
    for start in stride(from: 0, to: bytes.count, by: pieceSize) {
        var question = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while unsafe poll(&question, 1, 100) <= 0 {
            guard isStopped() else { continue }
            errno = ECANCELED
            return false
        }
        guard writeAll(Array(bytes[start..<min(start + pieceSize, bytes.count)]), to: descriptor) else { return false }
    }
    return true
}

/// Writes a text to an open file at its position, all of it; false, with `errno`, where that fails.
package func writeAll(_ text: String, to descriptor: CInt) -> Bool {
    writeAll(Array(text.utf8), to: descriptor)
}
