import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

/// Makes a feed of the findings of a run: the records of its rejects, mended by hand, are records again.
///
/// Each line of the findings is a value of that feed. It has the record of an entity as `record`, and the values around
/// the record in `context`, under the paths of the definition. So the entity has its records at `$.record`, in lines
/// that say `reject` and its name, and looks for the values around them one level up.
package struct RejectedRecords {
    private static let source = "rejects"

    private let definition: PipelineDefinition
    private let file: String

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
        var replay = RunOptions.Replay(sources: [ExactText(RejectedRecords.source): [RunOptions.SavedFile(path: file)]])
        replay.isPartial = true
        return replay
    }

    // MARK: The model

    private static func adapt(_ entity: inout Entity) {
        entity.sources = [0]
        entity.records = [Path(root: .feed, steps: [.name("record")])]
        entity.unknownAbsences = [.partialFeeds]
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
    private func check() throws(Failure) {
        let names = [["kind"], ["entity"], ["record"], ["at", "line"], ["at", "file"]]
        let slots = names.map { Slot(path: Path(root: .record, steps: $0.map(Path.Step.name))) }
        let line = Entity(
            name: "Line", records: [Path(root: .feed, steps: [])], slots: slots, identifier: [], attributes: [])
        let model = Model(entities: [line])
        var options = FeedOptions()
        options.format = .lines
        let reader = FeedReader(model: model, source: 0, options: options)
        var batch = RecordBatch(model: model)
        var rejects = 0
        _ = try reader.read(openFeed(file), named: file, into: &batch) { full throws(Failure) in
            rejects += try check(full)
            full.reset()
            return full
        }
        rejects += try check(batch)
        // What a mistaken name leads to would succeed with nothing, and write findings in place of those that were to
        // be mended.
        guard rejects > 0 else {
            throw Failure(
                .data, "\(file) holds no rejects: --rejects takes what --findings wrote, with the records mended")
        }
    }

    /// Returns how many rejects there are.
    private func check(_ batch: RecordBatch) throws(Failure) -> Int {
        let section = batch.sections[0]
        var rejects = 0
        for row in 0..<section.count {
            let cells = (0..<section.slotCount).map { section.raw[row * section.slotCount + $0] }
            guard cells[0].kind == .string, batch.arena.text(of: cells[0]) == Finding.Kind.reject.rawValue else {
                continue
            }
            rejects += 1
            let name = cells[1].kind == .string ? batch.arena.text(of: cells[1]) : ""
            let lacksPlace = zip([ValueRule.Origin.line, .fileName], cells[3...]).filter { $1.kind == .absent }.map(\.0)
            guard let reason = problem(entity: name, hasRecord: cells[2].kind != .absent, lacksPlace) else { continue }
            let position = section.positions[row]
            throw Failure(
                .data, reason,
                at: Failure.Place(
                    file: file, line: position.line, column: position.column, offset: position.offset))
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
