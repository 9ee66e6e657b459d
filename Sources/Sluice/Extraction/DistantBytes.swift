import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

/// The bytes of a file of an input that is on another machine, or in a bucket: at their end it is known whether all has
/// come.
final class DistantBytes: ByteSource {
    private let objects: ObjectReading?
    private let files: FeedFiles
    private let control: RunControl
    private let source: any ByteSource

    /// - Parameter keep: is given the bytes, uncompressed.
    init(
        _ input: FeedInput, _ control: RunControl,
        keep: @escaping (any ByteSource, Int) throws(Failure) -> any ByteSource
    ) throws(Failure) {
        let objects = ObjectReading(input, FetchSession(control))
        (self.objects, self.control) = (objects, control)
        control.cancellation.whenRequested { objects?.stop() }
        files = FeedFiles(input, try FeedFiles.Origin(alone: input, objects, control), keep: keep)
        guard let file = try files.nextFile() else {
            throw Failure(.missing, "\(input.location) has no file")
        }
        self.source = file.bytes
    }

    deinit {
        control.cancellation.whenRequested(nil)
        objects?.end()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe source.read(into: buffer)
        // The failure of an incomplete download is thrown when the next file is asked for.
        if count == 0 { _ = try files.nextFile() }
        return count
    }
}
