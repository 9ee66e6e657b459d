import SluiceRecords

/// In what a source's records are not as the definition expects them.
package struct FeedDrift: Sendable {
    /// A field that records have.
    package struct Field: Sendable {
        /// The index of the entity in the model.
        package var entity: Int
        /// From the record, or from the top of the feed if it is around the records. A wildcard stands for elements of
        /// arrays, for members that only a wildcard of the definition names, and at the end for all names that were too
        /// many to be told apart.
        package var path: Path
        /// Whether it stands more than once in its object; else no path of the definition leads to it.
        package var isRepeated: Bool
        /// How many records have it, or nodes around records.
        package var records: UInt64
        /// The first of them.
        package var first: FeedPosition
    }

    /// A field that records of an entity with conditions have. How many of them count is not the reader's to say: each
    /// has the number among its notes, see `EntityRecords.notes`.
    package struct NotedField: Sendable {
        /// As in `Field`, these three.
        package var entity: Int
        package var path: Path
        package var isRepeated: Bool
        package var number: Int
        /// How many records that count have it that were known, and were not read.
        package var known: UInt64 = 0
    }

    /// Of entities without conditions.
    package var fields: [Field] = []
    /// Of entities with conditions.
    package var notedFields: [NotedField] = []
    /// The indices of the entities of which a feed may have records that are not where their paths lead: a text, a
    /// number, `true` or a list stands where a named step of a path leads on to records.
    package var hidden: Set<Int> = []
    /// The members at the top of documents that are lists with something in them, and to which no path of the
    /// definition leads, in the order of the feed; at most 100. Nil: the feed has no documents.
    package var lists: [String]?

    package init() {}

    /// The fields of records that count.
    ///
    /// - Parameter noted: by entity and number: how many records that count have it among their notes, and the first of
    ///   them; nil: there is none.
    package func counted(
        _ noted: (_ entity: Int, _ number: Int) -> (records: Int, first: FeedPosition)?
    ) -> [Field] {
        fields
            + notedFields.compactMap { field in
                noted(field.entity, field.number).map { records, first in
                    Field(
                        entity: field.entity, path: field.path, isRepeated: field.isRepeated,
                        records: UInt64(records) + field.known, first: first)
                }
            }
    }
}
