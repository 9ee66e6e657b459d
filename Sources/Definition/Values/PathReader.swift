import SluiceExtract
import SluiceRecords

/// Reads the paths of one entity.
struct PathReader {
    let context: DefinitionContext
    let entity: String
    /// The paths of its records; empty where they could not be read.
    let records: [Path]
    /// Whether the paths start at the top of an answer of a service, and lead to one value each.
    var isOfAnswers = false

    /// A path of `records`: from the top of the feed to the records.
    static func records(_ node: JSONNode, in context: DefinitionContext) -> Path? {
        guard let text = context.text(node, "records", expected: "a path"),
            let path = parse(text, at: node.position, in: context)
        else {
            return nil
        }
        guard path.root == .feed else {
            context.mistake(
                "a path in \"records\" starts at the top of the feed, with $\(fromTheTop(text))", at: node.position)
            return nil
        }
        guard !path.isChoosing else {
            context.mistake(
                "a path in \"records\" takes all elements: which of them count, the entity's \"where\" says",
                at: node.position)
            return nil
        }
        guard !path.isKey else {
            context.mistake("a path in \"records\" leads to values: it cannot end with ~", at: node.position)
            return nil
        }
        return path
    }

    /// What a path of `records` seems to mean that begins like a path in a record.
    private static func fromTheTop(_ text: String) -> String {
        guard let first = text.first, first != "@", first != "^",
            let path = try? Path.parse(first == "[" ? "$\(text)" : "$.\(text)")
        else { return "" }
        return ": did you mean \(quoted(path.description))?"
    }

    /// A path to a value: from the record, or of what encloses it.
    func value(_ text: String, at position: JSONPosition, many: Bool) -> Path? {
        guard let path = PathReader.parse(text, at: position, in: context) else { return nil }
        if isOfAnswers { return answer(path, at: position) }
        guard !records.isEmpty else { return path }
        let reason = path.root == .feed ? wrongAncestor(path) : wrongBare(path, many: many)
        if let reason {
            context.mistake(reason, at: position)
            return nil
        }
        return path
    }

    private func answer(_ path: Path, at position: JSONPosition) -> Path? {
        if path.root == .feed, path.isDefinite, !path.isKey { return path }
        context.mistake(
            "\(quoted(path.description)) must be a path from the top of an answer to one value, such as $.status",
            at: position)
        return nil
    }

    /// A path in the elements of a list: it starts at each of them as others do at the record.
    func inElement(_ text: String, at position: JSONPosition, _ element: Path) -> Path? {
        guard let path = PathReader.parse(text, at: position, in: context) else { return nil }
        if path.root == .feed { return value(text, at: position, many: false) }
        guard path.isDefinite else {
            context.mistake("\(quoted(text)) can match several values: a link has one of each", at: position)
            return nil
        }
        let kept = element.steps.prefix(max(element.steps.count - path.parents, 0))
        guard !element.steps[kept.count...].contains(where: \.isDescendant) else {
            context.mistake(
                "\(quoted(text)) leads out of what .. finds, which may be at any depth", at: position)
            return nil
        }
        let whole = Path(
            root: .record, parents: max(path.parents - element.steps.count, 0), steps: kept + path.steps,
            isKey: path.isKey)
        guard !records.isEmpty, let reason = wrongBare(whole, many: true) else { return whole }
        context.mistake(reason, at: position)
        return nil
    }

    /// A path to fields of the record of which nothing is to be told.
    func ignored(_ text: String, at position: JSONPosition) -> Path? {
        guard let path = PathReader.parse(text, at: position, in: context) else { return nil }
        guard path.root == .record, path.parents == 0, !path.isKey, !path.steps.isEmpty, !path.isChoosing else {
            context.mistake("\(quoted(text)) names no field of the record", at: position)
            return nil
        }
        return path
    }

    static func parse(_ text: String, at position: JSONPosition, in context: DefinitionContext) -> Path? {
        do throws(PathError) {
            return try Path.parse(text)
        } catch {
            let place = "at its character \(String(decoding: text.utf8.prefix(error.offset), as: UTF8.self).count + 1)"
            let suggestion = Path.suggestion(for: text).map { ": \($0)?" } ?? ""
            context.mistake("\(quoted(text)) is no path: \(error.message), \(place)\(suggestion)", at: position)
            return nil
        }
    }

    /// What is wrong with a path that names something around the record.
    private func wrongAncestor(_ path: Path) -> String? {
        if path.isKey && path.steps.isEmpty { return "the top of a feed has no key and no index" }
        let encloses = records.contains { records in
            let common = zip(path.steps, records.steps).prefix { $0 == $1 }.count
            let rest = Path(root: .feed, steps: Array(path.steps[common...]))
            return rest.isDefinite
        }
        if encloses { return nil }
        return "\(quoted(path.description)) encloses no record of \(quoted(entity)): a path that starts with $ begins"
            + " like one in \"records\" (\(listed(records.map(\.description), last: " or ")))"
            + " and goes on with names and indices only"
    }

    private func wrongBare(_ path: Path, many: Bool) -> String? {
        if path.isChoosing, let reason = wrongChoice(path) { return reason }
        if !many && !path.isSingular {
            return "\(quoted(path.description)) can match several values: that needs \"many\": true"
        }
        guard let depth, path.parents >= depth else { return nil }
        if path.parents > depth {
            return "\(quoted(path.description)) leads above the top of the feed: the records of \(quoted(entity)) are"
                + " \(depth) deep"
        }
        if path.isKey && path.steps.isEmpty { return "the top of a feed has no key and no index" }
        return nil
    }

    private func wrongChoice(_ path: Path) -> String? {
        if path.parents > 0 {
            return "\(quoted(path.description)) chooses among elements around the record: only in it that can be done"
        }
        let last = path.steps.lastIndex(where: \.isChoosing) ?? 0
        if path.steps[last...].contains(where: \.isDescendant) {
            return
                "\(quoted(path.description)) goes on with .. behind the elements that it chooses: only names, indices,"
                + " [*] and further choices can follow"
        }
        return nil
    }

    /// How deep the deepest records are; nil: any depth.
    private var depth: Int? {
        let isBounded = records.allSatisfy { path in
            path.steps.allSatisfy { step in
                switch step {
                case .name, .index, .indexFromEnd, .filter, .wildcard: true
                case .descendantName, .descendantWildcard: false
                }
            }
        }
        return isBounded ? records.map(\.steps.count).max() : nil
    }
}

extension Slot {
    /// The slot of a path as the definition writes it, which findings repeat.
    init(path: Path, json: Bool = false, many: Bool = false, written text: String) {
        self.init(path: path.withAllElements, json: json, many: many)
        if !text.utf8.elementsEqual(path.description.utf8) { label = text }
    }
}

/// Collects the slots of an entity: whatever is read twice gets one.
final class SlotTable {
    private(set) var slots: [Slot] = []
    private var known: [[UInt8]: Int] = [:]

    func index(of slot: Slot) -> Int {
        // By bytes: two spellings of one letter are two names in a feed, and one as Swift compares texts.
        let key = Array("\(slot.json) \(slot.many) \(slot.isPlace) \(slot.path)".utf8)
        if let index = known[key] { return index }
        known[key] = add(slot)
        return slots.count - 1
    }

    /// Adds a slot that nothing else takes.
    func add(_ slot: Slot) -> Int {
        slots.append(slot)
        return slots.count - 1
    }
}
