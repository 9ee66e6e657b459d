import SluiceRecords

extension PartedFeed {
    /// A part: what is asked for first.
    package struct Part: Sendable, Hashable {
        /// The address, to which the query of the request is added.
        package var address: String
        /// The address without what may be secret.
        package var name: String
        /// More of the query of its first page, and of those that are counted.
        package var query: [(name: String, value: String)] = []
        /// What is posted; nil: what the request says.
        package var body: RequestBody?
        /// Which version of it is wanted; nil: the one that is there.
        package var etag: String?

        package init(address: String, name: String, etag: String? = nil) {
            self.address = address
            self.name = name
            self.etag = etag
        }

        package static func == (one: Part, other: Part) -> Bool { one.parts == other.parts }
        package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
        var version: WantedVersion { etag.map { .only(etag: $0) } ?? .any }
        private var parts: [ExactText] {
            ([address, name, etag ?? "", body?.text ?? ""] + query.flatMap { [$0.name, $0.value] }).map {
                ExactText($0)
            }
        }
    }

    /// Parts to which the service has answered that there is nothing (404).
    package struct NotFound: Sendable {
        package var count = 0
        /// The address of the first, without what may be secret.
        package var first = ""
        /// How many parts were asked for.
        package var asked = 0
        package var isAll: Bool { count == asked }
    }
}
