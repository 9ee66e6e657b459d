import SluiceExtract
import SluiceRecords

/// Bytes that tell a meter how far they have been read.
final class MeteredBytes: ByteSource {
    private let source: any ByteSource
    private let meter: ProgressMeter

    init(_ source: any ByteSource, _ meter: ProgressMeter) {
        self.source = source
        self.meter = meter
    }

    var consumed: Int { source.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        defer { meter.update(position: source.consumed) }
        return try unsafe source.read(into: buffer)
    }
}
