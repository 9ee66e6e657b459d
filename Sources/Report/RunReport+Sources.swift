extension RunReport {
    /// A feed as it was read.
    public struct SourceFacts: Sendable {
        /// As the definition calls it.
        public var name: String
        /// As the definition or the command line names it.
        public var location: String
        /// Of the uncompressed feed.
        public var bytes: UInt64
        /// Top-level JSON values.
        public var values: UInt64
        /// Of the uncompressed feed, in hexadecimal; of several files, the digest of the lines that their digests make.
        public var sha256: String
        /// The digest of what its first file begins with; nil: it is short. Of the ledger's, not of reports.
        package var digestOfBeginning: String?
        /// What the next run asks its service for; nil: for everything.
        public var since: Since?
        /// A digest of what the definition takes of a source that is asked for what is new: where it is another in the
        /// next run, that asks for everything. Nil: the source is no such source.
        public var taken: String?
        /// Whether a service was asked for everything, since the definition takes something else of it than before.
        public var isAnew = false
        /// Whether files that were read before were not read again, though the definition takes something else of them.
        public var isOutdated = false
        /// The files that the run which this one is compared with read as well, and that are there no longer: where
        /// objects that no record holds are deleted or marked, those of these files are.
        public var goneFiles: [String] = []

        /// The lists at the top of its documents to which no path of the definition leads; nil: it has no documents,
        /// or an earlier version of Sluice has read it.
        public var unused: [UnusedList]?

        /// A list at the top of documents of which no entity has records.
        public struct UnusedList: Sendable, Hashable {
            /// From the top: `$.vendors`.
            public var path: String
            /// Whether the run that this one is compared with has not met it; nil: that is not known.
            public var isNew: Bool?

            /// From its parts.
            package init(path: String, isNew: Bool?) { (self.path, self.isNew) = (path, isNew) }
        }

        /// Of a service that is asked for what is new.
        public struct Since: Sendable, Hashable {
            /// Whose values are sent: `Entity.attribute`.
            public var attribute: String
            /// The highest that records of this source have had, as the store has it; nil: none had any.
            public var value: String?

            /// From its parts.
            package init(attribute: String, value: String?) {
                self.attribute = attribute
                self.value = value
            }
        }

        /// The records of the first page in the last run whose first page led to others; nil: that is not known.
        public var firstPage: UInt64?

        /// From its parts.
        package init(name: String, location: String, bytes: UInt64, values: UInt64, sha256: String) {
            self.name = name
            self.location = location
            self.bytes = bytes
            self.values = values
            self.sha256 = sha256
        }
    }
}
