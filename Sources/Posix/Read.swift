import Glibc

/// Reads from an open file until a buffer is full or the file ends.
///
/// - Parameter offset: where in the file; nil: at its position, which moves on.
/// - Returns: how many bytes were read; nil, with `errno`, where that fails.
package func readAll(
    into buffer: UnsafeMutableRawBufferPointer, from descriptor: CInt, at offset: Int? = nil
) -> Int? {
    var done = 0
    while done < buffer.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        let count =
            if let offset { unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done)) } else {
                unsafe read(descriptor, rest.baseAddress, rest.count)
            }
        if count < 0, errno == EINTR { continue }
        if count < 0 { return nil }
        if count == 0 { break }
        done += count
    }
    return done
}

/// What an open file has from its position on, up to a limit; nil, with `errno`, where it cannot be read.
package func readAll(from descriptor: CInt, most: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    // Most files are small, and most limits are not.
    var buffer = [UInt8](repeating: 0, count: min(most, 1 << 16))
    while bytes.count < most {
        let wanted = min(buffer.count, most - bytes.count)
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe readAll(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), from: descriptor)
        }
        guard let count else { return nil }
        bytes += buffer[..<count]
        if count < wanted { break }
    }
    return bytes
}
