/// A thing worth telling about a record, or about what finds none.
public struct Finding: Sendable {
    /// What it is about.
    public enum Kind: String, CaseIterable, Sendable {
        /// Something of the definition finds nothing.
        case unmatched
        /// A record that was there before, in the same run.
        case duplicate
        /// A reference without its target.
        case unresolved
        /// What a program has changed, and the feed changes, too.
        case conflict
        /// A record that could not become an object.
        case reject
        /// Records are not what the definition, or the run before, speaks of.
        case drift
        /// A row of the answer to one of the definition's checks.
        case check
    }

    /// What the finding reports, by kind.
    public enum Detail: Sendable {
        /// A path of the definition finds nothing in a source, though something is to be expected.
        case unmatched(Unmatched, path: String)
        /// A record of this run had the identifier before. `differs` names the columns in which they disagree.
        case duplicate(conflicting: Bool, differs: [String])
        /// A reference without its target; `value` is JSON.
        case unresolved(relationship: String, targets: [String], value: String)
        /// A program has changed attributes, of which the feed says something else than before: the object stays as the
        /// program has it.
        case conflict([Edit])
        /// The feed says that an object is gone which a program has changed: it stays.
        case conflictingDeletion
        /// The record could not become an object.
        case reject(faults: [(member: String, reason: String)])
        /// That many records are not as the definition expects them in a field, a path from the record.
        case drift(Drift, field: String, records: UInt64)
        /// A check of the definition has this row: the names of its columns, and their values as JSON.
        case check(name: String, values: [(name: String, value: String)])
    }

    /// An attribute that a program has changed. The values are JSON.
    public struct Edit: Sendable, Hashable {
        /// Its name.
        public var attribute: String
        /// What the feed said when the program changed it.
        public var before: String
        /// What the store has: the program's.
        public var stored: String
        /// What the feed says now.
        public var feed: String

        package init(attribute: String, before: String, stored: String, feed: String) {
            self.attribute = attribute
            self.before = before
            self.stored = stored
            self.feed = feed
        }
    }

    /// What finds nothing, as the definition's key for it.
    public enum Unmatched: String, Hashable, Sendable {
        /// A path of records takes no value.
        case records
        /// No record has the values that the definition requires.
        case condition = "where"
        /// No page says where the next one is.
        case next = "pages.next"
        case cursor = "pages.cursor"
        case link = "pages.link"
        /// No page says how many records there are.
        case total = "pages.total"
        /// No page says whether there is another.
        case more = "pages.more"
        /// Pages without records name another one for so long that nobody goes on.
        case end = "pages.end"
        /// A page that another one names has no byte.
        case blank = "pages.blank"
        /// An answer leads to a next page, for which the source does not ask, or says that there is one.
        case pages
        /// An answer says that there are more records than it has, and the source does not ask for others.
        case count = "pages.count"
        /// A page has fewer records than it was asked for, and others follow: what is between may be stepped over.
        case limit = "pages.limit"
        /// A service finds nothing (404) where it is asked for what belongs to a record.
        case notFound
        /// A service answers for a record with something that has nothing in common with the answers for others.
        case answers
        /// A feed is UTF-8, and is read in another encoding.
        case encoding
        /// One of several tables has no bytes at all, and no header.
        case emptyFile
    }

    /// What is not as expected.
    public enum Drift: Hashable, Sendable {
        /// Records have a field that the definition does not use.
        case unknown
        /// Records have a scalar or a list as a field in which a path of the definition looks for something.
        case shape(sought: String)
        /// No record has what an attribute or a relationship of that name is made of.
        case missing(member: String)
        /// An attribute or a relationship of that name is made of values of JSON types that the last succeeded run did
        /// not meet there: `before` are those that it met.
        case retyped(member: String, types: [String], before: [String])
        /// Far fewer records than in the last succeeded run have a value, which is not null, of which an attribute or a
        /// relationship of that name is made: of `among` records; in that run, `before` of `all`.
        case fewer(member: String, among: Int, before: Int, all: Int)
        /// Records have a field more than once; the last one counts.
        case repeated
        /// Elements of one kind are of no entity, though several entities take some of the elements that stand there
        /// (`where`).
        case untaken
    }

    /// The name of the entity; nil: it is about a source as a whole.
    public var entity: String?
    /// JSON: a scalar, a list for several attributes, or `null`; of drift, which is about many records, and of what is
    /// unmatched, it is `null`.
    public var identifier: String
    /// What the finding reports.
    public var detail: Detail
    /// What is there instead, for its sentence alone: no file of findings has it.
    package var found: String?
    /// Where the record stands; where ``isPlaced`` is false, the beginning of the first feed.
    public var at: FeedPosition
    /// Whether it is known where the record stands. Of a check, the object may not have had a record in the run.
    public package(set) var isPlaced = true
    /// A sentence without a full stop, and without the place: of findings that a run tells while it goes on, and of the
    /// examples in its report; else empty.
    public package(set) var message = ""
    /// Of an unresolved reference: whether several objects have what it looks for, so that none of them is meant.
    public package(set) var isAmbiguous = false
    /// Of a duplicate: the record of this run that had the identifier first, where it is known.
    public var first: FirstPosition?
    /// Of a conflicting duplicate among a report's examples: what the first record and this one say, as JSON, where
    /// they could be had again; nil: nothing.
    public var values: [(member: String, first: String?, here: String?)] = []
    /// Of a reject: the record itself, where it could be had again.
    public var record: RecordText?
    /// Of a reject: whether its bytes are no record at all.
    package var isOfBytes = false
    /// Of a reject: the values around the record that its entity uses, each a path with JSON. The bytes of the record
    /// do not hold them, and a replay needs them.
    public var context: [(path: String, value: String)] = []

    /// Of drift: whether the last succeeded run of the pipeline had no such finding; nil: there is none to compare
    /// with.
    public var isNew: Bool?

    package init(entity: String?, identifier: String, detail: Detail, at: FeedPosition) {
        self.entity = entity
        self.identifier = identifier
        self.detail = detail
        self.at = at
    }

    /// What it is about.
    public var kind: Kind {
        switch detail {
        case .unmatched: .unmatched
        case .duplicate: .duplicate
        case .unresolved: .unresolved
        case .conflict, .conflictingDeletion: .conflict
        case .reject: .reject
        case .drift: .drift
        case .check: .check
        }
    }
}

/// Where a record stands, on its own: a `RecordPosition` that outlives its batch.
public struct FeedPosition: Sendable, Hashable {
    package var position: RecordPositionKey
    /// From 1; of records that a program makes, their number.
    public var line: UInt64
    /// In bytes, from 1.
    public var column: UInt64
    /// The record's number among those of its entity in its source, from 0.
    public var record: UInt64
    /// The path of the record in the feed, such as `$.stops[17]`.
    public var path: String
    /// The name of the source, and the file: where a finding has its ``Finding/message``, else empty.
    public package(set) var source = ""
    /// As the definition, or who has started the run, names it.
    public package(set) var file = ""

    /// Bytes before the record in the uncompressed file; of records that a program makes, how many came before.
    public var offset: UInt64 { position.offset }

    package init(_ position: RecordPosition, path: String) {
        self.position = RecordPositionKey(position)
        line = position.line
        column = position.column
        record = position.record
        self.path = path
    }

    /// - Parameter arena: that of the batch which holds the position.
    package init(_ position: RecordPosition, in arena: Arena) {
        self.init(position, path: position.path(in: arena))
    }

    /// The first byte of a source.
    package static func beginning(of source: Int, file: Int = 0) -> FeedPosition {
        var position = RecordPosition()
        position.source = UInt16(truncatingIfNeeded: source)
        position.file = UInt32(truncatingIfNeeded: file)
        (position.line, position.column) = (1, 1)
        return FeedPosition(position, path: "$")
    }
}

/// Which record of a run: as little as can be remembered of each object.
public struct FirstPosition: Sendable, Hashable {
    package var position: RecordPositionKey
    /// The record's number among those of its entity in its source, from 0.
    public var record: UInt64
    /// From 1; nil where it is not known: of the examples of a report, it is looked up.
    public var line: UInt64?
    /// In bytes, from 1; nil as `line`.
    public var column: UInt64?

    package init(_ position: RecordPositionKey, record: UInt64) {
        self.position = position
        self.record = record
    }
}

/// The order of records in a run: by source, file and offset.
package struct RecordPositionKey: Sendable, Hashable, Comparable {
    package var source: Int
    package var file: Int
    package var offset: UInt64

    package init(source: Int, file: Int, offset: UInt64) {
        self.source = source
        self.file = file
        self.offset = offset
    }

    package init(_ position: RecordPosition) {
        source = Int(position.source)
        file = Int(position.file)
        offset = position.offset
    }

    package static func < (a: RecordPositionKey, b: RecordPositionKey) -> Bool {
        (a.source, a.file, a.offset) < (b.source, b.file, b.offset)
    }
}

/// Takes the findings of a run, one after the other, in no particular order.
package protocol FindingSink: AnyObject {
    /// Counts a finding; the closure makes it, and is called only where it is kept.
    ///
    /// - Parameter isMinor: whether others of its kind are better examples, wherever they stand.
    func report(_ kind: Finding.Kind, at position: RecordPositionKey, isMinor: Bool, _ make: () -> Finding)
}

extension FindingSink {
    /// Counts a finding that is as good an example as others.
    package func report(_ kind: Finding.Kind, at position: RecordPositionKey, _ make: () -> Finding) {
        report(kind, at: position, isMinor: false, make)
    }
}
