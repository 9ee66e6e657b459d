import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceInit
import SluiceRecords
import SluiceTransform

/// Reads the feed of one entity for the members that its records have, and the types that take their values.
struct MemberSurvey {
    private let definition: PipelineDefinition
    private let feeds: [RunOptions.FeedOverride]

    /// - Parameters:
    ///   - definition: its only entity looks for nothing but its records.
    ///   - feeds: what is read instead of the definition's own.
    init(_ definition: PipelineDefinition, _ feeds: [RunOptions.FeedOverride]) {
        self.definition = definition
        self.feeds = feeds
    }

    /// The members that are scalars in every record, in the order of the feed.
    func members() throws(Failure) -> [DefinitionChecks.Member] {
        var options = RunOptions()
        options.feeds = feeds
        let inputs = try FeedInput.all(of: definition, options)
        for source in definition.model.entities[0].sources { try checkRereading(inputs[source]) }
        var model = definition.model
        let known = model.entities[0].slots
        let names = try self.names(inputs, model)
        model.entities[0].slots = known + names.map { Slot(path: Path(root: .record, steps: [.name($0)])) }
        var facts = names.map { _ in MemberFacts() }
        let transformer = try Transformer(model: model)
        try read(inputs, model) { batch in
            transformer.transform(batch)
            let section = batch.sections[0]
            for row in 0..<section.count where section.status[row] != .dropped {
                for index in names.indices {
                    facts[index].add(section.raw[row * section.slotCount + known.count + index], batch)
                }
            }
        }
        let isOfTables = model.entities[0].isOfTables
        return zip(names, facts).compactMap { name, facts in
            facts.type(isOfTable: isOfTables).map { (name, StoredForm($0)) }
        }
    }

    /// The second pass reads the values of the members that the first has found.
    private func checkRereading(_ input: FeedInput) throws(Failure) {
        for file in input.paths {
            var status = stat()
            let isFile =
                input.isFromFiles && file != "-" && (unsafe stat(FeedPath(file).file, &status)) == 0
                && status.st_mode & S_IFMT == S_IFREG
            if isFile { continue }
            throw Failure(
                .definition,
                "\(file) cannot be read twice, as it must be the first time: save it, and name it with --feed")
        }
    }

    /// The names of all members, as they come in the feed.
    private func names(_ inputs: [FeedInput], _ model: Model) throws(Failure) -> [String] {
        var found: [String] = []
        // The reader tells of members beside those that it looks for: here it looks for none that there can be, and for
        // nothing that conditions look for.
        var model = model
        model.entities[0].slots = [Slot(path: Path(root: .record, steps: [.name("\0"), .name("\0")]))]
        for drift in try read(inputs, model, batch: { _ in }) {
            found += (drift.fields.map(\.path) + drift.notedFields.map(\.path)).compactMap(\.onlyName)
        }
        // What paths to records lead through is nothing that the reader would not know: `$.items` of `$` and
        // `$.items.*`.
        for step in model.entities[0].records.flatMap(\.steps) { if case .name(let name) = step { found.append(name) } }
        var seen: Set<ExactText> = []
        return found.filter { seen.insert(ExactText($0)).inserted }
    }

    @discardableResult
    private func read(
        _ inputs: [FeedInput], _ model: Model, batch take: (RecordBatch) -> Void
    ) throws(Failure) -> [FeedDrift] {
        var drifts: [FeedDrift] = []
        for source in model.entities[0].sources {
            let input = inputs[source]
            let reader = FeedReader(
                model: model, source: source, options: input.options(batchSize: PipelineDefinition.defaultBatchSize))
            for (index, file) in input.paths.enumerated() {
                var batch = RecordBatch(model: model)
                _ = try reader.read(openFeed(file), named: input.files[index], file: index, into: &batch) { full in
                    take(full)
                    full.reset()
                    return full
                }
                take(batch)
            }
            drifts.append(reader.drift)
        }
        return drifts
    }
}

extension Path {
    /// The name of the member that it leads to, if that is all.
    fileprivate var onlyName: String? {
        guard root == .record, parents == 0, !isKey, steps.count == 1, case .name(let name) = steps[0] else {
            return nil
        }
        return name
    }
}

/// What a member is in all records.
private struct MemberFacts {
    private var texts = 0
    private var booleans = 0
    private var wholes = 0
    private var wides = 0
    private var reals = 0
    private var containers = 0
    private var nulls = 0
    /// What all texts are beside texts.
    private var forms = TextForms.all
    /// Whether one of them is a whole number beyond 64 bits, which no real number holds.
    private var hasWideText = false

    mutating func add(_ cell: Cell, _ batch: RecordBatch) {
        switch cell.kind {
        case .absent: break
        case .null: nulls += 1
        case .yes, .no: booleans += 1
        case .number:
            let text = batch.arena.text(of: cell)
            if Int64(text) != nil {
                wholes += 1
            } else if text.utf8.contains(where: { ".eE".utf8.contains($0) }) {
                reals += 1
            } else {
                wides += 1
            }
        case .string, .text:
            texts += 1
            var fraction = 0
            if cell.count == 0 {
                forms = []
            } else {
                let own = unsafe TextForms.of(batch.arena.base + cell.offset, cell.count, fraction: &fraction)
                forms.formIntersection(own)
                // Minus zero is no integer either.
                if cell.count > 2, own.contains(.whole), !own.contains(.integer) { hasWideText = true }
            }
        default: containers += 1
        }
    }

    /// The type that takes all; nil: none does, or there is nothing.
    func type(isOfTable: Bool) -> AttributeType? {
        let numbers = wholes + wides + reals
        guard containers == 0, texts + booleans + numbers + nulls > 0 else { return nil }
        if texts > 0 {
            guard isOfTable, booleans + numbers == 0 else { return .text }
            if forms.contains(.integer) { return .integer }
            if forms.areNumbers { return hasWideText ? .decimal : .real }
            return forms == .boolean ? .boolean : .text
        }
        if booleans > 0 { return numbers == 0 ? .boolean : .text }
        // A member that is always null may get values of any type.
        guard numbers > 0 else { return .text }
        if wides > 0 { return .decimal }
        return reals > 0 ? .real : .integer
    }
}
