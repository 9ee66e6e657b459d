import SluiceExtract
import SluiceRecords

/// Content as the service has it, without what was done to it for the transfer.
final class ContentDecoder: ByteSource {
    private let name: String
    private let limit: UInt64
    /// What is still to be undone before the first byte is read, the last first.
    private var codings: [ContentCoding]
    private var source: any ByteSource
    private var limits: [LimitedBytes] = []

    /// - Parameter limit: bytes of the compressed content, at each level, at the most.
    init(_ source: any ByteSource, _ codings: [ContentCoding], limit: UInt64, named name: String) {
        self.source = source
        self.codings = codings
        self.limit = limit
        self.name = name
    }

    /// Whether there is too much of the compressed content.
    var isTooLong: Bool { limits.contains { $0.isExceeded } }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while let coding = codings.popLast() {
            let limited = LimitedBytes(source, limit, name)
            limits.append(limited)
            source = try decode(limited, coding, named: name)
        }
        return try unsafe source.read(into: buffer)
    }
}

extension ResponseHead {
    /// How the content was compressed for the transfer, in the order in which that was done. Throws where it was not
    /// asked for so.
    func contentCodings() throws(Failure) -> [ContentCoding] {
        // A service may forget that there is nothing to compress.
        if contentLength == 0 || status == 204 { return [] }
        let known = codings.compactMap { ContentCoding(name: $0) }
        guard known.count == codings.count, known.count <= ResponseHead.mostCodings else {
            throw Failure(
                .unavailable,
                "answered with the Content-Encoding \(codings.joined(separator: ", ")), which is not asked for")
        }
        return known
    }

    /// More of them serve no purpose.
    private static let mostCodings = 4
}
