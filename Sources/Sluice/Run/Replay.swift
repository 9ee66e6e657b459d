import SluiceRecords

extension RunOptions {
    /// A feed that is read again, in place of the sources.
    package struct Replay: Sendable, Hashable {
        /// By the name of the source: its files, in their order.
        package var sources: [ExactText: [SavedFile]]
        package var origin = Origin.files

        /// What the feed is.
        package enum Origin: Sendable, Hashable {
            /// Files that a user names.
            case files
            /// The one that a run put into the archive.
            case run(SavedRun)
            /// Mended rejects: some of a feed's records, with those that are as they were.
            case rejects(UnmendedRecords)
        }

        /// The run that read the feed first.
        package struct SavedRun: Sendable, Hashable {
            package var number: Int
            /// The run whose feed the store holds, where that is newer.
            package var newer: Int?
            /// Whether services were asked for everything: what is absent from it is looked at.
            package var isFull = false
            /// The names of the sources that did not give all that there was.
            package var partial: [String] = []
            /// The names of the sources that gave what there was at different times.
            package var shifting: [String] = []
        }

        package init(_ origin: Origin = .files, sources: [ExactText: [SavedFile]]) {
            self.origin = origin
            self.sources = sources
        }

        /// The run that read it first, where it is known.
        package var run: SavedRun? { if case .run(let run) = origin { run } else { nil } }

        /// Whether it holds only some of a feed's records.
        package var isPartial: Bool { if case .rejects = origin { true } else { false } }

        /// The records that are rejected again.
        var unmended: UnmendedRecords? { if case .rejects(let unmended) = origin { unmended } else { nil } }
    }
}
