import SluiceFetch
import SluiceRecords

/// A web service as a source.
package struct WebSource: Sendable, Hashable {
    /// What is asked for, without what the store adds to it.
    package var request: WebRequest
    /// Only what is newer than the store is asked for.
    package var since: Since?
    /// What would be sent, where a run asks for everything after all.
    package var passedOver: Since?
    /// A request is made for each object of an entity; its address tells of that.
    package var parents: Parents?
    /// The feed is a file of this path in what is downloaded, an archive; nil: it is the feed itself.
    package var member: String?
    /// Which answers are errors; nil: none but those that are known.
    package var failing: Failing?
    /// How many sources may be downloaded beside each other, this one among them.
    package var parallel = 2
    /// Which answers are kept for other runs.
    package var keeping = KeptAnswers.Settings()
    /// How many requests are made beside each other, where there is one for each record of an entity.
    package var requests = 1

    /// What is known of the objects that belong to a record where the service finds nothing for it (404).
    package enum NotFound: String, CaseIterable, Sendable {
        /// Nothing: the answer may come of something else.
        case unknown
        /// That there are none.
        case empty
    }

    /// What "not found" says, where there is a request for each record of an entity.
    package var notFound = NotFound.unknown

    /// Whether its feed is several answers.
    package var isPaged: Bool { request.pages != nil || parents != nil }

    /// A parameter of the query that tells the service what the store has.
    package struct Since: Sendable, Hashable {
        /// How a time is written.
        package enum Format: Sendable, Hashable {
            /// RFC 3339; a date as `YYYY-MM-DD`.
            case rfc3339
            /// Seconds since 1970.
            case unix
            /// Milliseconds since 1970.
            case unixMilliseconds
            /// A format of strftime, in local time of a zone (IANA name).
            case written(String, zone: String)

            /// Those that have a name.
            package static let words: [(word: String, format: Format)] = [
                ("rfc3339", .rfc3339), ("unix", .unix), ("unix-ms", .unixMilliseconds),
            ]
        }

        /// The parameter of the query, or a place in the body.
        package var parameter: PageParameter
        /// What is sent, with `{since}` where the value stands; nil: the value alone.
        package var text: String?
        /// The index of the entity whose attribute's highest value is sent.
        package var entity: Int
        /// The index of the attribute.
        package var attribute: Int
        /// Beside `for`: the relationship of that entity which leads to the record that is asked for. Of what belongs
        /// to that, the highest value is sent.
        package var relationship: Int?
        /// What is taken off the value: seconds from a time, a number from a number.
        package var overlap = 0.0
        /// How the time is written.
        package var format = Format.rfc3339

        /// In ``text``, where the value stands.
        package static let placeholder = "{since}"
    }

    /// What an answer has that is an error, though it comes with status 200.
    package struct Failing: Sendable, Hashable {
        /// Where the conditions look: paths of names and indices, from the top of an answer.
        package var paths: [Path]
        /// Of an error each is met. Their slots are indices of the paths.
        package var conditions: [RecordCondition]
        /// Where an error says what is wrong.
        package var message: Path?
        /// Whether the definition says nothing of it.
        package var isOfGraphQL = false
    }

    /// The records for each of which there is a request.
    package struct Parents: Sendable, Hashable {
        /// A part of the address, or of a text in the body.
        package enum Piece: Sendable, Hashable {
            case text(String)
            /// The value of an attribute, by its index.
            case attribute(Int)
        }

        /// A text in the body in which values stand.
        package struct Field: Sendable, Hashable {
            package var place: [RequestBody.Step]
            package var pieces: [Piece]
        }

        /// The index of their entity.
        package var entity: Int
        package var pieces: [Piece]
        package var fields: [Field] = []
    }
}
