import SluiceRecords

/// A reference without its target: an entry of the waiting list, or what may become one.
package struct WaitingReference: Sendable {
    /// Of a to-many relationship: the place among the values of the record.
    package var position: Int64
    package var value: WaitingValue
    /// What the link has of its own, see `LinkText`.
    package var with: String?
    /// Where the record stood that holds the reference; nil where the entry is of an earlier run, or no record of this
    /// one held it; or where that is not set yet.
    package var at: FeedPosition?

    package init(
        position: Int64, value: WaitingValue, with: String? = nil, at: FeedPosition? = nil
    ) {
        self.position = position
        self.value = value
        self.with = with
        self.at = at
    }
}

/// What is to be on the waiting list.
package struct NewWaitingReference: Sendable {
    package var objectID: Int64
    package var waiting: WaitingReference
    /// Whether `waiting.at` counts even where the object waits for the same value already.
    package var isMoved: Bool
}

/// What is no longer to be on the waiting list.
package struct SettledWaitingReference: Sendable {
    package var objectID: Int64
    /// The place among the values of the record; nil: all of the object.
    package var position: Int64?
}

/// What a reference on the waiting list refers to.
package struct WaitingValue: Hashable, Sendable {
    /// The identifier as JSON.
    package var json: String
    /// The target's entity, where the record names it.
    package var target: String?
    /// Where `json` is not the identifier of each possible target: a JSON object of what it is by the types of their
    /// identifiers, null where no object can have it.
    package var keys: String?
    /// Whether several objects have what is looked for, as far as that is known: it is no part of the value.
    package var isAmbiguous = false

    package init(
        json: String, target: String? = nil, keys: String? = nil, isAmbiguous: Bool = false
    ) {
        self.json = json
        self.target = target
        self.keys = keys
        self.isAmbiguous = isAmbiguous
    }

    /// The value of a reference that is searched in several ways, or for several targets.
    ///
    /// - Parameters:
    ///   - identifiers: what each search looks for; nil: nothing, as no object can have it.
    ///   - otherwise: the value where all of them are nil.
    ///   - labels: what the searches are called in `keys`.
    ///   - hasKeys: whether there are such even where all searches look for the same.
    init(
        _ identifiers: [String?], otherwise: @autoclosure () -> String, target: String? = nil, hasKeys: Bool,
        labels: @autoclosure () -> [String]
    ) {
        json = identifiers.lazy.compactMap { $0 }.first ?? otherwise()
        self.target = target
        if hasKeys || !identifiers.allSatisfy({ [json] in $0?.isIdentical(to: json) == true }) {
            keys = JSONText.object(zip(labels(), identifiers).map { ($0, $1 ?? "null") })
        }
    }

    /// Whether two values mean the same, as far as is known: what an object was that is deleted is known for one
    /// target.
    package func isSame(as other: WaitingValue) -> Bool {
        exact.prefix(2) == other.exact.prefix(2) && (keys == nil || other.keys == nil || self == other)
    }

    // By bytes: two spellings of one letter are two identifiers.
    package static func == (left: WaitingValue, right: WaitingValue) -> Bool { left.exact == right.exact }

    package func hash(into hasher: inout Hasher) { hasher.combine(exact) }

    private var exact: [ExactText?] { [json, target, keys].map { text in text.map { ExactText($0) } } }
}

extension [WaitingValue] {
    func areSame(as other: [WaitingValue]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
    }
}
