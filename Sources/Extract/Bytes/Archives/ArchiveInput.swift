import CSluiceArchive
import SluiceRecords

/// What libarchive reads from: a file, by callbacks, so that the failures of reading keep their meaning.
@safe
final class ArchiveInput {
    var failure: Failure?
    var consumed: Int { file.consumed }
    private let file: any FeedBytes
    private let buffer: UnsafeMutableRawBufferPointer

    /// An archive is not read to its last byte.
    func checkUnchanged() throws(Failure) { try file.checkUnchanged() }

    init(_ file: any FeedBytes) {
        self.file = file
        unsafe buffer = .allocate(byteCount: 1 << 17, alignment: 16)
    }

    deinit { unsafe buffer.deallocate() }

    /// Opens an archive; it must not be used once this object is gone.
    func attach(to archive: OpaquePointer) -> CInt {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        if file.isSeekable {
            unsafe archive_read_set_seek_callback(archive) { _, context, offset, whence in
                unsafe ArchiveInput.from(context).seek(Int(offset), whence)
            }
        }
        return unsafe archive_read_open(
            archive, context, nil, { _, context, block in unsafe ArchiveInput.from(context).read(block) }, nil)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ArchiveInput {
        guard let context = unsafe context else { preconditionFailure("libarchive lost the context of its callbacks") }
        return unsafe Unmanaged<ArchiveInput>.fromOpaque(context).takeUnretainedValue()
    }

    private func read(_ block: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        do throws(Failure) {
            unsafe block?.pointee = UnsafeRawPointer(buffer.baseAddress)
            return try unsafe file.read(into: buffer)
        } catch {
            failure = error
            return Int(ARCHIVE_FATAL)
        }
    }

    private func seek(_ offset: Int, _ whence: CInt) -> Int64 {
        do throws(Failure) {
            return Int64(try file.seek(offset, whence))
        } catch {
            failure = error
            return Int64(ARCHIVE_FATAL)
        }
    }
}
