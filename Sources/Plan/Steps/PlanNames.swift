// What tables and columns between the files that a plan reads and those that it writes are called.

/// The tables of an entity or a relationship.
enum TableRole: String {
    // Files.
    case parts, rejects, before, waited, after
    case afterWaiting = "after-waiting"
    // What is read.
    case copies, positions, known, held
    // What records make.
    case repeatedIdentifiers = "repeated-identifiers"
    case accepted, ranked, accumulated, listed, named, differing, compared, duplicates, objects, numbered
    // What goes, and what lacks its target.
    case unmade, lacked, absent, orphans, returned, needed, lacking, taken, brought
    // What references lead to.
    case targets, sought, stated, lists, elements, wanted, stubs, resolved, links, waiting, late
    // What comes of it.
    case described, kept, final, staying, moved, counts
    case shownPositions = "shown-positions"
}

/// The tables of all entities.
enum PlanTable {
    static let parts = "parts"
    static let partRecords = "part_records"
    static let partFindings = "part_findings"
    static let run = "run"
    static let last = "last"
    static let partStarts = "part-starts"
    static let recordStarts = "record-starts"
    static let files = "files"
    static let counts = "counts"
    static let totals = "totals"
    static let exceeded = "exceeded"
    static let findings = "findings"
    static let found = "found"
    static let examples = "examples"
    static let lacking = "lacking"
}

// A column of an attribute, a relationship or a part of a key has its number in its name. The names are words to any
// engine: the runner on Spark has those of values in a row from Spark, which does not quote them.
extension PlanColumnName {
    // MARK: Parts and places

    static let part = own("part")
    static let source = own("source")
    static let sourceName = own("source_name")
    static let file = own("file")
    static let fileName = own("file_name")
    /// The first byte of a part.
    static let first = own("first")
    static let newlines = own("newlines")
    static let entity = own("entity")
    static let records = own("records")
    static let rejects = own("rejects")
    static let hidden = own("hidden")
    /// Of a run.
    static let number = own("number")
    static let started = own("started")
    /// The lines of a file before a part.
    static let earlierLines = own("earlier_lines")
    /// The records of an entity before a part: of its source, and of all sources.
    static let earlierRecords = own("earlier_records")
    static let earlierOfAll = own("earlier_records_of_all_sources")
    /// The source and the file of a place, as findings have them.
    static let shown = own("shown")
    static let record = own("record")
    static let line = own("line")
    static let column = own("column")
    static let offset = own("offset")
    static let path = own("path")

    // MARK: Records and objects

    /// The number of a record among all of its entity, from all sources: they count in this order.
    static let order = own("order")
    /// That of an object's first record.
    static let firstOrder = own("order_of_the_first")
    static let objectID = own("objectID")
    static let isStub = own("is_stub")
    /// When an object was missed first (`absent: mark`).
    static let markedAt = own("marked_at")
    static func attribute(_ index: Int) -> PlanColumnName { own("attribute_\(index)") }
    /// Whether a record does not say anything of an attribute, or a relationship.
    static func isAbsent(_ name: PlanColumnName) -> PlanColumnName { own("\(name.text)_is_absent") }
    /// What an object had before the run.
    static func former(_ name: PlanColumnName) -> PlanColumnName { own("former_\(name.text)") }
    /// What the copies of an object before one said.
    static func earlier(_ name: PlanColumnName) -> PlanColumnName { own("earlier_\(name.text)") }
    /// Whether a copy says something else than those before.
    static func differs(_ name: PlanColumnName) -> PlanColumnName { own("\(name.text)_differs") }
    static let isConflicting = own("is_conflicting")
    /// The place of a copy among those of its object, from 1, and how many there are.
    static let rank = own("rank")
    static let copies = own("copies")
    /// Whether several records made an object.
    static let isMerged = own("is_merged")
    /// Whether a record of this run made an object.
    static let isDescribed = own("is_described")
    /// Whether an object was there before.
    static let wasThere = own("was_there")
    /// Whether an object has other attributes than before; other references count as well.
    static let hasOtherValues = own("has_other_values")
    static let isChanged = own("is_changed")

    // MARK: References

    static func reference(_ index: Int) -> PlanColumnName { own("reference_\(index)") }
    /// A key: the target's entity, the parts of its identifier by target, and what was given that no identifier can be.
    static func keyEntity(_ index: Int) -> PlanColumnName { own("reference_\(index)_entity") }
    static func key(_ index: Int, target: Int, part: Int) -> PlanColumnName {
        own("reference_\(index)_target_\(target)_part_\(part)")
    }
    static func impossible(_ index: Int, part: Int) -> PlanColumnName {
        own("reference_\(index)_impossible_part_\(part)")
    }
    /// The object that a reference leads to, and its entity.
    static let target = own("target")
    static let targetEntity = own("target_entity")
    static func target(of index: Int) -> PlanColumnName { own("target_of_\(index)") }
    static func targetEntity(of index: Int) -> PlanColumnName { own("target_entity_of_\(index)") }
    /// Whether records of this run say anything of a relationship, and the order of the one that does if it is not the
    /// first.
    static func isStated(_ index: Int) -> PlanColumnName { own("reference_\(index)_is_stated") }
    static func statedBy(_ index: Int) -> PlanColumnName { own("order_of_reference_\(index)") }
    /// Why something is looked for: see ``SoughtKind``.
    static let kind = own("kind")
    static func kind(of index: Int) -> PlanColumnName { own("kind_of_\(index)") }
    /// The record to show for a reference that waits.
    static func shownOrder(_ index: Int) -> PlanColumnName { own("shown_order_of_\(index)") }
    /// The relationship that makes a stub, or that a record lacks a target of, and its entity.
    static let relation = own("relation")
    static let owner = own("owner")

    // MARK: Results

    static let name = own("name")
    static let total = own("total")
    static let rejected = own("rejected")
    static let conflicting = own("conflicting")
    static let updated = own("updated")
    static let deleted = own("deleted")
    static let existing = own("existing")
    static let unresolved = own("unresolved")
    static let referring = own("referring")
    static let n = own("n")
    static let allowed = own("allowed")
    static let found = own("found")
    static let earlier = own("earlier")
    static let isMinor = own("minor")
    static let findings = own("findings")
    static let relationship = own("relationship")
    static let missing = own("missing")
    static let head = own("head")
    static let tail = own("tail")
    static let targets = own("targets")
    static let fault = own("fault")
    static let faults = own("faults")
    static let entityNumber = own("e")
    static let relationshipNumber = own("r")
}
