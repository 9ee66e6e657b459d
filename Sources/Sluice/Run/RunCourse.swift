import Glibc

/// How the records and the memory of a run grew: a bounded number of samples, taken between batches.
public struct RunCourse: Sendable {
    public struct Sample: Sendable, Hashable {
        /// Since the run began to load.
        public var seconds: Double
        /// Loaded so far.
        public var records: Int
        /// Resident memory of the process.
        public var bytes: Int
    }

    /// When there are more, every other one goes.
    static let most = 400

    public private(set) var samples: [Sample] = []
    /// When the feeds had been read and their records loaded, and only what waited was left; nil: that never came.
    public private(set) var readingEnded: Double?
    private let begin = Timestamp.now
    private var records = 0
    /// A sample is kept each so many batches.
    private var stride = 1
    private var batches = 0

    init() { keep() }

    /// Notes that a batch has been loaded.
    mutating func add(records count: Int) {
        records += count
        batches += 1
        guard batches % stride == 0 else { return }
        keep()
        guard samples.count > RunCourse.most else { return }
        samples = stridden(samples)
        stride *= 2
    }

    /// Notes that all feeds have been read.
    mutating func endReading() {
        keep()
        readingEnded = samples.last?.seconds
    }

    /// Notes that what waited has been resolved.
    mutating func end() { keep() }

    private mutating func keep() {
        samples.append(
            Sample(seconds: Timestamp.now.secondsSince(begin), records: records, bytes: residentBytes()))
    }

    /// The first, and every other one after it.
    private func stridden(_ samples: [Sample]) -> [Sample] {
        samples.indices.filter { $0 % 2 == 0 }.map { samples[$0] }
    }
}

/// The resident memory of this process; 0 where the system does not tell.
private func residentBytes() -> Int {
    let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = unsafe read(file, &buffer, buffer.count)
    // The second number counts pages.
    let fields = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
}
