import SluiceRecords
import SluiceTransform

extension RunReport {
    /// The outcome for one entity.
    public struct EntityFacts: Sendable {
        /// As the definition calls it.
        public var name: String
        /// The names of its relationships.
        public var relationships: [String]
        /// What became of its records and references.
        public var counts: EntityCounts
        /// Objects before the run, counted where the run deleted some; those marked as deleted are not among them.
        public var existing = 0
        /// The identifiers, as JSON, of some objects that the run has deleted; only of a run, not of a report that was
        /// read.
        package var firstDeleted: [String] = []
        /// What the records hold where attributes and relationships look for their values; empty where only a few
        /// mended records were read.
        package var fields: [FieldFacts] = []
        /// In how many fields the feed has drifted. Only of a run, not of a report that was read.
        package var drifted = DriftedFields()
        /// Fields that records have and the definition does not use, the first ``namesKept`` of them.
        public var unused: [UnusedField] = []
        /// Fields that records have more than once, the first ``namesKept`` of them.
        public var repeated: [String] = []
        /// Elements that this entity might take and none does, by their kind: the first ``namesKept`` of them.
        public var untaken: [UnusedField] = []
        /// How many records the run had with which this one is compared; nil: nobody knows, or not all of them come
        /// each night.
        public var recordsBefore: Int?
        /// What has become of it as a whole since that run; empty: nothing, or nobody knows.
        public var news: [EntityNews] = []
        /// Attributes whose stored values have taken another form, as the definition gives them another type.
        public var converted: [String] = []
        /// Whether objects that are counted as deleted have only been marked (`"absent": "mark"`).
        public var marks = false

        /// From its parts.
        package init(
            name: String, relationships: [String], counts: EntityCounts, existing: Int = 0, fields: [FieldFacts] = [],
            drifted: DriftedFields = DriftedFields(), unused: [UnusedField] = [], repeated: [String] = []
        ) {
            self.name = name
            self.relationships = relationships
            self.counts = counts
            self.existing = existing
            self.fields = fields
            self.drifted = drifted
            self.unused = unused
            self.repeated = repeated
        }

        /// More names would make the ledger grow for a feed whose keys are data.
        package static let namesKept = 1000
    }

    /// In how many fields the feed of an entity has drifted, as limits count them.
    package struct DriftedFields: Sendable {
        /// Those that the definition uses and no record has, or that have become null in all records.
        package var missing: [String] = []
        /// Of these, those that a tenth of the records of the last succeeded run had, or more; and those of which no
        /// record has a value that is not null, and nine tenths had one.
        package var expected: [String] = []
        /// Those that hold something else than the objects and lists in which the definition looks for values.
        package var shape: [String] = []
        /// Those whose values have types that they did not have in the last succeeded run.
        package var type: [String] = []

        /// None.
        package init() {}
    }

    /// A field that the definition does not use.
    public struct UnusedField: Sendable, Hashable {
        /// A path from the record.
        public var name: String
        /// How many records have it.
        public var records: Int
        /// Whether the last succeeded run did not meet it; nil: there is none to compare with.
        public var isNew: Bool?
        /// A path of the definition that looks for something in it, though it is a scalar or a list in these records;
        /// nil: none does.
        public var sought: String?

        /// From its parts.
        package init(name: String, records: Int, isNew: Bool? = nil, sought: String? = nil) {
            self.name = name
            self.records = records
            self.isNew = isNew
            self.sought = sought
        }
    }
}
