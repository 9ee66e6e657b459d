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
    }

    /// When there are more, every other one goes.
    static let most = 400

    /// In the order of time.
    package private(set) var samples: [Sample] = []
    /// When the feeds had been read, and only what waited was left; nil: that never came.
    package internal(set) var readingEnded: Double?
    /// A sample is kept each so many times.
    private var stride = 1
    private var offered = 0

    init() {}

    /// Keeps a sample, or not.
    mutating func offer(_ sample: Sample) {
        offered += 1
        if (offered - 1) % stride == 0 { keep(sample) }
    }

    /// Keeps a sample in any case.
    mutating func keep(_ sample: Sample) {
        samples.append(sample)
        guard samples.count > RunCourse.most else { return }
        samples = samples.indices.filter { $0 % 2 == 0 }.map { samples[$0] }
        stride *= 2
    }
}
