import SluiceRecords

extension RunReport {
    /// What an earlier run did.
    public struct Load: Sendable {
        /// Its number in the ledger.
        public var run: Int
        /// When it ended.
        package var finished: Timestamp
        /// By entity, as it counted.
        public var entities: [EntityFacts]
        /// How many findings of each kind it had.
        public var findings: [Finding.Kind: Int]

        /// From its parts.
        package init(run: Int, finished: Timestamp, entities: [EntityFacts], findings: [Finding.Kind: Int]) {
            self.run = run
            self.finished = finished
            self.entities = entities
            self.findings = findings
        }
    }

    /// What earlier runs have to do with it.
    public struct Earlier: Sendable {
        /// Of an unchanged run: the one that loaded the feed, where the ledger still knows it.
        public var load: Load?
        /// The run that this one's drift is compared with; nil: there is none.
        public var compared: Int?
        /// Of a replay, in a report from the ledger: the run whose feed it read again; nil: it read another feed.
        package var replayed: Int?
        /// Of a run that did not succeed: since when none has; nil: nobody knows.
        package var standing: Standing?
        /// How many findings that run had, by kind; of a report from the ledger, none.
        package var counts: [Finding.Kind: Int] = [:]
    }

    /// What was found.
    public struct Found: Sendable {
        /// By kind.
        public var counts: [Finding.Kind: Int] = [:]
        /// The first findings of each kind.
        public var examples: [Finding] = []
        /// By kind: how many of them the run did not have with which this one is compared; without those of which that
        /// is not known.
        public var news: [Finding.Kind: Int] = [:]
        /// By which the next run tells what is new.
        package var digests = FindingDigests()
        /// Of each relationship, the missing targets that most of its references name.
        public var missingTargets: [MissingTarget] = []
        /// The rejects by what is wrong with them; of a report that was read, none.
        public var rejectGroups: [RejectGroup] = []
        /// The files of each source, by which findings name them.
        public var feeds: [Feed] = []
    }
}
