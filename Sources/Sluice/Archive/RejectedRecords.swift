import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords
import SluiceTransform

/// Makes a feed of the findings of a run: the records of its rejects, mended by hand, are records again.
///
/// Each line of the findings is a value of that feed. It has the record of an entity as `record`, and the values around
/// the record in `context`, under the paths of the definition. So the entity has its records at `$.record`, in lines
/// that say `reject` and its name, and looks for the values around them one level up.
package struct RejectedRecords {
    private static let source = "rejects"

    private let definition: PipelineDefinition
    private let file: String
    /// The rejects, in the order of the file.
    private var lines: [Line] = []
    private var unmended = UnmendedRecords()
    /// Where the records begin, in bytes, that the replay loads or rejects.
    private var taken: [UInt64] = []

    /// Where a reject stands, and its entity.
    private struct Line {
        var place: Failure.Place
        var entity: String
    }

    /// - Parameter file: the findings.
    /// - Throws: `data` where a reject is not one that can be tried again.
    package init(_ definition: PipelineDefinition, file: String) throws(Failure) {
        self.definition = definition
        self.file = file
        if ObjectFolder.names(file) {
            throw Failure(.usage, "--rejects takes a file, in which records were mended: copy \(file) to one")
        }
        var status = stat()
        if unsafe stat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure(.usage, "--rejects takes a file, which is read twice, and \(file) is none")
        }
        try check()
        try transform()
    }

    /// Finds the records that the replay takes, and among them those that it rejects again, as they are as they were.
    private mutating func transform() throws(Failure) {
        let replayed = replayed
        let model = UnmendedRecords.model(replayed.model) { RejectedRecords.beside([$0]) }
        let transformer = try Transformer(model: model)
        var (found, taken) = (UnmendedRecords(), [UInt64]())
        try read(model, replayed.sources[0].maxDepth) { batch in
            transformer.transform(batch)
            found.add(batch, model)
            for section in batch.sections {
                let rows = (0..<section.count).filter { row in
                    [.complete, .rejected, .gone].contains(section.status[row])
                        || found.contains(section.entity, section.positions[row].offset)
                }
                taken += rows.map { section.positions[$0].offset }
            }
        }
        (unmended, self.taken) = (found, taken.sorted())
    }

    /// What is told of rejects that `where` leaves out, now that they are mended: a run has no word for these, and
    /// they would be gone with the findings that take the place of the file.
    package func leftOut() -> [String] {
        var next = 0
        return lines.indices.compactMap { index in
            // A record is in its line, and before the next one.
            let end = index + 1 < lines.count ? lines[index + 1].place.offset : .max
            let before = next
            while next < taken.count, taken[next] < end { next += 1 }
            if next > before { return nil }
            return "\(lines[index].place): \"where\" leaves out this record of \(lines[index].entity), which is neither"
                + " an object nor a reject any more"
        }
    }

    /// The definition that loads them.
    package var replayed: PipelineDefinition {
        var replayed = definition
        var source = Source(name: RejectedRecords.source, location: .file(file), format: .lines)
        source.maxText = definition.sources.map(\.maxText).max() ?? source.maxText
        source.maxRecord = definition.sources.map(\.maxRecord).max() ?? source.maxRecord
        // A record is one level deeper than its line.
        source.maxDepth = (definition.sources.map(\.maxDepth).max() ?? source.maxDepth) + 1
        replayed.sources = [source]
        for index in replayed.model.entities.indices { RejectedRecords.adapt(&replayed.model.entities[index]) }
        return replayed
    }

    /// The replay of them.
    package var replay: RunOptions.Replay {
        let files = [RunOptions.SavedFile(path: file)]
        return RunOptions.Replay(
            .rejects(unmended), sources: [ExactText(RejectedRecords.source): files])
    }

    // MARK: The model

    private static func adapt(_ entity: inout Entity) {
        entity.sources = [0]
        entity.records = [Path(root: .feed, steps: [.name("record")])]
        entity.absence.unknown = [.partialFeeds]
        for slot in entity.enclosingSlots {
            let name = entity.slots[slot].name
            let other = entity.slots[slot].path.description
            entity.slots[slot].label = name
            let isList = entity.slots[slot].many
            entity.slots[slot].path = beside(["context", name], isList: isList)
            // A path has several spellings: findings have that of the definition, or that of `Path.description`.
            if other != name { entity.slots[slot].otherPath = beside(["context", other], isList: isList) }
        }
        adaptPlace(&entity)
        for (key, value) in [("kind", "reject"), ("entity", entity.name)] {
            var slot = Slot(path: beside([key]))
            slot.label = ""
            entity.conditions.append(RecordCondition(slot: entity.slots.count, values: [.text(value)]))
            entity.slots.append(slot)
        }
    }

    /// Values that say where the record stood are taken from `at` of the finding.
    private static func adaptPlace(_ entity: inout Entity) {
        for (origin, key) in [(ValueRule.Origin.line, "line"), (.fileName, "file")] where entity.takes(origin) {
            var slot = Slot(path: beside(["at", key]))
            slot.label = ""
            var rule = ValueRule(.slot(entity.slots.count))
            // The name of a file is that without its folder.
            rule.match = #"[^/]*\z"#
            entity.replace(origin, with: origin == .line ? rule.origin : .joined([rule], separator: ""))
            entity.slots.append(slot)
        }
    }

    /// The path to what stands in the line of the record.
    private static func beside(_ names: [String], isList: Bool = false) -> Path {
        Path(root: .record, parents: 1, steps: names.map(Path.Step.name) + (isList ? [.wildcard] : []))
    }

    // MARK: The check

    /// Reads the file and throws where a reject cannot be tried again: a user would take a line that is silently
    /// skipped for a loaded one.
    private mutating func check() throws(Failure) {
        let names = [["kind"], ["entity"], ["record"], ["at", "line"], ["at", "file"]]
        let slots = names.map { Slot(path: Path(root: .record, steps: $0.map(Path.Step.name))) }
        let line = Entity(
            name: "Line", records: [Path(root: .feed, steps: [])], slots: slots, identifier: [], attributes: [])
        let model = Model(entities: [line])
        var rejects: [Line] = []
        try read(model, FeedOptions().maxDepth) { batch throws(Failure) in rejects += try check(batch) }
        lines = rejects
        // What a mistaken name leads to would succeed with nothing, and write findings in place of those that were to
        // be mended.
        guard !rejects.isEmpty else {
            throw Failure(
                .data, "\(file) holds no rejects: --rejects takes what --findings wrote, with the records mended")
        }
    }

    /// Reads the file as a model has it.
    private func read(
        _ model: Model, _ maxDepth: Int, _ take: (RecordBatch) throws(Failure) -> Void
    ) throws(Failure) {
        var options = FeedOptions()
        options.format = .lines
        options.maxDepth = maxDepth
        let reader = FeedReader(model: model, source: 0, options: options)
        var batch = RecordBatch(model: model)
        _ = try reader.read(openFeed(file), named: file, into: &batch) { full throws(Failure) in
            try take(full)
            full.reset()
            return full
        }
        try take(batch)
    }

    /// Returns the rejects.
    private func check(_ batch: RecordBatch) throws(Failure) -> [Line] {
        let section = batch.sections[0]
        var rejects: [Line] = []
        for row in 0..<section.count {
            let cells = (0..<section.slotCount).map { section.raw[row * section.slotCount + $0] }
            guard cells[0].kind == .string, batch.arena.text(of: cells[0]) == Finding.Kind.reject.rawValue else {
                continue
            }
            let position = section.positions[row]
            let place = Failure.Place(
                file: file, line: position.line, column: position.column, offset: position.offset)
            let name = cells[1].kind == .string ? batch.arena.text(of: cells[1]) : ""
            let lacksPlace = zip([ValueRule.Origin.line, .fileName], cells[3...]).filter { $1.kind == .absent }.map(\.0)
            rejects.append(Line(place: place, entity: name))
            if let reason = problem(entity: name, hasRecord: cells[2].kind != .absent, lacksPlace) {
                throw Failure(.data, reason, at: place)
            }
        }
        return rejects
    }

    /// Why a reject cannot be tried again; nil: it can.
    ///
    /// - Parameter lacksPlace: what it does not have of where the record stood.
    private func problem(entity name: String, hasRecord: Bool, _ lacksPlace: [ValueRule.Origin]) -> String? {
        guard let entity = definition.model.entities.first(where: { $0.name.isIdentical(to: name) }) else {
            return "this reject is of the entity \(quoted(name)), which the definition does not have"
        }
        if !hasRecord {
            return "this reject has no \"record\": add it, or remove the line, or replay the whole feed"
        }
        if let place = lacksPlace.first(where: entity.takes) {
            let key = place == .line ? "line" : "file"
            return
                "this reject does not say where its record stood, which is a value of \(quoted(name)) by $\(key): add"
                + " \"\(key)\" to its \"at\", or remove the line, or replay the whole feed"
        }
        return nil
    }
}
