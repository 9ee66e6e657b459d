/// How far a run is: a value that a program shows, or makes a part of its own progress.
///
/// ```swift
/// let report = await run.run { progress in
///     // The import is the last seven tenths of the launch.
///     print(progress.phase, progress.records, progress.fraction(of: 0.3...1))
/// }
/// ```
public struct RunProgress: Sendable, Hashable {
    /// What a run is doing.
    public enum Phase: String, Sendable, CaseIterable, Comparable {
        /// It looks at what there is.
        case starting
        /// Another run holds the store, and is waited for.
        case waiting
        /// Feeds are read and loaded.
        case reading
        /// References that waited for their targets are resolved.
        case linking
        /// What was loaded becomes visible to others.
        case saving
        /// It is over.
        case ended

        /// In the order in which a run goes through them.
        public static func < (left: Phase, right: Phase) -> Bool { left.number < right.number }

        private var number: Int { Phase.allCases.firstIndex(of: self) ?? 0 }
    }

    /// What the run is doing.
    public var phase: Phase
    /// Bytes of the feeds that have been read, as they are stored: of a compressed file, the compressed ones.
    public var bytes: Int
    /// Bytes of all feeds; nil: not known, as one of them is no file.
    public var totalBytes: Int?
    /// Records so far.
    public var records: Int
    /// Findings so far.
    public var findings: Int
    /// Seconds until the feeds have been read, if all goes on as it did; nil: not known.
    public var secondsLeft: Int?

    /// How much of the run is done, from 0 to 1; it never falls. While feeds are read whose size is not known, it
    /// stands still.
    ///
    /// Reading is taken for nine tenths of a run.
    public var fraction: Double {
        switch phase {
        case .starting, .waiting: 0
        case .reading: 0.9 * (totalBytes.map { $0 > 0 ? min(1, Double(bytes) / Double($0)) : 0 } ?? 0)
        case .linking: 0.9
        case .saving: 0.95
        case .ended: 1
        }
    }

    /// How much of a larger work is done, of which the run is a part.
    ///
    /// - Parameter part: where the run begins and ends in it, of 0 to 1.
    public func fraction(of part: ClosedRange<Double>) -> Double {
        part.lowerBound + fraction * (part.upperBound - part.lowerBound)
    }
}

extension RunProgress {
    /// - Parameter secondsLeft: see ``secondsLeft``.
    init(_ reading: ProgressMeter.Reading, secondsLeft: Int?) {
        phase = reading.phase
        bytes = reading.bytes
        totalBytes = reading.totalBytes > 0 ? reading.totalBytes : nil
        records = reading.records
        findings = reading.findings
        self.secondsLeft = secondsLeft
    }
}
