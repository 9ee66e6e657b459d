import CSluiceFiles
import Glibc
import SluiceExtract
import SluicePosix
import SluiceRecords

/// What is done with whole files.
enum WholeFile {
    private static let chunk = 1 << 18

    /// Hands out the bytes of a file from a place on.
    static func visit(
        _ file: ReadFile, from start: UInt64 = 0, _ stop: Stop, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        var place = start
        while true {
            try stop.check()
            let count = try unsafe file.read(into: buffer, at: place)
            if count == 0 { return }
            place += UInt64(count)
            try unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// SHA-256, in hexadecimal.
    static func digest(_ file: ReadFile, from start: UInt64 = 0, _ stop: Stop) throws(Failure) -> String {
        let digest = try SHA256()
        try unsafe visit(file, from: start, stop) { bytes throws(Failure) in unsafe digest.update(bytes) }
        return try digest.hexadecimal()
    }

    /// Copies a file into an empty one: by sharing its blocks where the file system can, else within the kernel.
    static func copy(_ source: ReadFile, to target: CInt, named path: String, _ stop: Stop) throws(Failure) {
        // FICLONE, a macro that Swift does not import.
        if ioctl(target, 0x4004_9409, source.descriptor) == 0 { return }
        var done = 0
        let size = Int(source.size)
        while done < size {
            try stop.check()
            let count = copy_file_range(source.descriptor, nil, target, nil, min(size - done, 64 << 20), 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            done += count
        }
        guard done < size else { return }
        guard lseek(target, off_t(done), SEEK_SET) >= 0 else {
            throw Failure(.io, "\(path) cannot be written", errno: errno)
        }
        try unsafe visit(source, from: UInt64(done), stop) { bytes throws(Failure) in
            guard unsafe writeAll(bytes, to: target) else {
                throw Failure(.io, "\(path) cannot be written", errno: errno)
            }
        }
    }

    /// Expands a compressed file into another, and returns the digest of what came out.
    static func expand(
        _ expander: Expander, to target: CInt, named path: String, _ stop: Stop
    ) throws(Failure) -> String {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        let digest = try SHA256()
        while true {
            try stop.check()
            let count = try unsafe expander.read(into: buffer)
            if count == 0 { return try digest.hexadecimal() }
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            unsafe digest.update(bytes)
            guard unsafe writeAll(bytes, to: target) else {
                throw Failure(.io, "\(path) cannot be written", errno: errno)
            }
        }
    }
}
