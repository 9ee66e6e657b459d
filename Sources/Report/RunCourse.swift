import SluiceDefinition

/// How the records and the memory of a run grew: a bounded number of samples at equal distances.
package struct RunCourse: Sendable {
    /// How far the run was at one moment.
    package struct Sample: Sendable, Hashable {
        /// Since the run began to load.
        package var seconds: Double
        /// Read, and loaded or put on disk to wait, so far.
        package var records: Int
        /// Resident memory of the process.
        package var bytes: Int

        /// From its parts.
        package init(seconds: Double, records: Int, bytes: Int) {
            self.seconds = seconds
            self.records = records
            self.bytes = bytes
        }
    }

    /// When there are more, every other one goes.
    static let most = 400

    /// In the order of time.
    package private(set) var samples: [Sample] = []
    /// When the feeds had been read, and only what waited was left; nil: that never came.
    package var readingEnded: Double?
    /// A sample is kept each so many times.
    private var stride = 1
    private var offered = 0

    package init() {}

    /// Keeps a sample, or not.
    package mutating func offer(_ sample: Sample) {
        offered += 1
        if (offered - 1) % stride == 0 { append(sample) }
    }

    /// Appends a sample in any case.
    package mutating func append(_ sample: Sample) {
        samples.append(sample)
        guard samples.count > RunCourse.most else { return }
        samples = samples.indices.filter { $0 % 2 == 0 }.map { samples[$0] }
        stride *= 2
    }
}
