extension RunReport {
    /// What the objectID cache took, of all entities together.
    public struct CacheFacts: Sendable, Hashable {
        /// At the end.
        public var objects = 0
        /// At the end: all of it.
        public var bytes = 0
        /// Of these, the identifiers themselves; only of a run, not of a report that was read.
        public var identifierBytes = 0
        /// The most that it took, in bytes.
        public var peakBytes = 0
        /// What it might take, in bytes, but for what one batch adds.
        public var limit = 0

        /// From its parts.
        package init(objects: Int = 0, bytes: Int = 0, identifierBytes: Int = 0, peakBytes: Int = 0, limit: Int = 0) {
            self.objects = objects
            self.bytes = bytes
            self.identifierBytes = identifierBytes
            self.peakBytes = peakBytes
            self.limit = limit
        }

        /// Whether objects were forgotten for the limit.
        public var isLimited: Bool { peakBytes > limit }
    }
}
