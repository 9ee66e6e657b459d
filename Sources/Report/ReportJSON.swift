import SluiceDefinition
import SluiceRecords
import SluiceTransform

extension RunReport {
    /// The report as `report.schema.json` describes it: one JSON object.
    public var json: String {
        let given =
            (task.replaysRejects ? [("mended", "true")] : []) + (task.isFull ? [("full", "true")] : [])
            + (task.allowed.isEmpty
                ? [] : [("allowed", JSONText.object(task.allowed.map { ($0.limit, JSONText.quoted($0.amount)) }))])
            + (outcome.isReshaped ? [("reshaped", "true")] : [])
            + (task.findings.map { [("findingsFile", JSONText.quoted($0))] } ?? [])
        let services = wire.isEmpty ? [] : [("wire", lines(wire.map { ($0.name, $0.json) }))]
        let before: [(String, String)] = [
            ("pipeline", JSONText.quoted(task.pipeline)), ("run", run.map(String.init) ?? "null"),
            ("status", JSONText.quoted(outcome.status.rawValue)), ("exitStatus", String(exitStatus)),
            ("error", outcome.error.map(json(of:)) ?? "null"),
            ("exceeded", JSONText.array(outcome.exceeded.map(json(of:)))),
            ("dryRun", String(task.isDry)), ("replay", String(task.isReplay)),
            ("started", JSONText.quoted(time.started.text)), ("finished", JSONText.quoted(time.finished.text)),
            ("seconds", rounded(time.seconds)), ("commit", JSONText.quoted(task.commit.rawValue)),
            ("store", JSONText.quoted(task.store)), ("sources", lines(sources.map { ($0.name, json(of: $0)) })),
        ]
        let load = earlier.load.map { load in
            JSONText.object([("run", String(load.run)), ("finished", JSONText.quoted(load.finished.text))])
        }
        let loaded = load.map { [("loaded", $0)] } ?? []
        let failing = earlier.standing.map { [("failing", $0.json)] } ?? []
        let after: [(String, String)] =
            [
                ("entities", lines(entities.map { ($0.name, json(of: $0)) })),
                ("known", String(known)), ("cache", json(of: cache)),
            ] + (checks.isEmpty ? [] : [("checks", lines(checks.map { ($0.name, $0.json) }))]) + [
                ("comparedWith", earlier.compared.map(String.init) ?? "null"),
                (
                    "findings",
                    JSONText.object(Finding.Kind.allCases.map { ($0.rawValue, String(found.counts[$0] ?? 0)) })
                ),
                (
                    "new",
                    JSONText.object(
                        Finding.Kind.allCases.compactMap { kind in found.news[kind].map { (kind.rawValue, String($0)) }
                        })
                ),
                ("digests", JSONText.object(found.digests.members(found))),
                ("lacking", list(found.missingTargets.map(json(of:)))),
                ("examples", list(found.examples.map(json(of:)))),
            ]
        let body = (before + loaded + failing + given + services + after).map { "  \(JSONText.quoted($0.0)): \($0.1)" }
            .joined(
                separator: ",\n")
        return "{\n\(body)\n}\n"
    }

    private func json(of example: Finding) -> String {
        var example = example
        // One record must not keep anyone from reading the report.
        if example.record?.hasLoneSurrogate == true { example.record = nil }
        return example.json(found.feeds)
    }

    private func json(of failure: Failure) -> String {
        var members = [("message", JSONText.quoted(failure.message))]
        if let place = failure.place {
            members += [
                ("file", JSONText.quoted(place.file)), ("line", String(place.line)), ("column", String(place.column)),
                ("offset", String(place.offset)),
            ]
        }
        return JSONText.object(members)
    }

    private func json(of limit: ExceededLimit) -> String {
        var members = [
            ("limit", JSONText.quoted(limit.limit)), ("entity", limit.entity.map(JSONText.quoted) ?? "null"),
            ("allowed", String(limit.allowed)), ("found", String(limit.found)),
        ]
        if let check = limit.check { members.append(("check", JSONText.quoted(check))) }
        if !limit.entities.isEmpty {
            members.append(("entities", JSONText.array(limit.entities.map(JSONText.quoted))))
        }
        members.append(("allow", JSONText.quoted(limit.allowance)))
        if let before = limit.before { members.append(("before", String(before))) }
        if let origin = limit.origin { members.append(("by", JSONText.quoted(origin.rawValue))) }
        if let share = limit.share { members.append(("share", JSONText.quoted(share))) }
        if let total = limit.total { members.append(("of", String(total))) }
        if !limit.objects.isEmpty {
            let objects = limit.objects.map { object in
                JSONText.object([
                    ("entity", JSONText.quoted(object.entity)), ("identifier", JSONText.shown(object.identifier)),
                ])
            }
            members.append(("objects", JSONText.array(objects)))
        }
        if !limit.fields.isEmpty {
            let fields = limit.fields.prefix(ExceededLimit.namedObjects).map { field in
                JSONText.object([("entity", JSONText.quoted(field.entity)), ("field", JSONText.quoted(field.field))])
            }
            members.append(("fields", JSONText.array(fields)))
        }
        return JSONText.object(members)
    }

    private func json(of target: MissingTarget) -> String {
        JSONText.object([
            ("entity", JSONText.quoted(target.entity)), ("relationship", JSONText.quoted(target.relationship)),
            ("value", target.value), ("references", String(target.references)),
        ])
    }

    private func json(of cache: CacheFacts) -> String {
        JSONText.object([
            ("objects", String(cache.objects)), ("bytes", String(cache.bytes)), ("peakBytes", String(cache.peakBytes)),
            ("limit", String(cache.limit)),
        ])
    }

    private func json(of source: SourceFacts) -> String {
        var members = [
            ("location", JSONText.quoted(source.location)), ("bytes", String(source.bytes)),
            ("values", String(source.values)), ("sha256", JSONText.quoted(source.sha256)),
        ]
        if let since = source.since {
            let value = since.value.map(JSONText.quoted) ?? "null"
            members.append(
                ("since", JSONText.object([("attribute", JSONText.quoted(since.attribute)), ("value", value)])))
        }
        if let taken = source.taken { members.append(("taken", JSONText.quoted(taken))) }
        if source.isAnew { members.append(("anew", "true")) }
        if source.isOutdated { members.append(("outdated", "true")) }
        if let records = source.firstPage { members.append(("firstPage", String(records))) }
        if !source.goneFiles.isEmpty {
            members.append(("gone", JSONText.array(source.goneFiles.map(JSONText.quoted))))
        }
        if let unused = source.unused {
            let lists = unused.map { list in
                (list.path, JSONText.object(list.isNew.map { [("new", String($0))] } ?? []))
            }
            members.append(("unused", JSONText.object(lists)))
        }
        return JSONText.object(members)
    }

    private func json(of entity: EntityFacts) -> String {
        let counts = saved(entity.counts)
        let undone = isRolledBack ? [("undone", json(entity.counts, EntityCounts.changes))] : []
        let relationships = zip(entity.relationships, counts.relationships).map { name, counts in
            (name, json(counts, RelationshipCounts.reported))
        }
        let untaken =
            entity.untaken.isEmpty ? [] : [("untaken", json(of: entity.untaken))]
        let marks = entity.marks ? [("marks", "true")] : []
        let before = entity.recordsBefore.map { [("recordsBefore", String($0))] } ?? []
        let news =
            entity.news.isEmpty ? [] : [("news", JSONText.array(entity.news.map { JSONText.quoted($0.rawValue) }))]
        let converted =
            entity.converted.isEmpty
            ? [] : [("converted", JSONText.array(entity.converted.map(JSONText.quoted)))]
        return JSONText.object(
            members(counts, EntityCounts.reported) + [
                ("duplicates", json(counts, EntityCounts.duplicates)),
                ("relationships", JSONText.object(relationships)),
                ("fields", JSONText.object(entity.fields.map { ($0.name, JSONText.object($0.jsonMembers)) })),
                ("unused", json(of: entity.unused)),
                ("repeated", JSONText.array(entity.repeated.map(JSONText.quoted))),
            ] + undone + untaken + converted + marks + before + news)
    }

    private func json<Counts>(_ counts: Counts, _ named: [NamedCount<Counts>]) -> String {
        JSONText.object(members(counts, named))
    }

    private func members<Counts>(_ counts: Counts, _ named: [NamedCount<Counts>]) -> [(String, String)] {
        named.map { ($0.name, String(counts[keyPath: $0.path])) }
    }

    private func json(of fields: [UnusedField]) -> String {
        JSONText.object(
            fields.map { field in
                let isNew = field.isNew.map { [("new", String($0))] } ?? []
                let sought = field.sought.map { [("sought", JSONText.quoted($0))] } ?? []
                return (field.name, JSONText.object([("records", String(field.records))] + isNew + sought))
            })
    }

    /// An object with a line for each member.
    private func lines(_ members: [(String, String)]) -> String {
        guard !members.isEmpty else { return "{}" }
        return "{\n" + members.map { "    \(JSONText.quoted($0.0)): \($0.1)" }.joined(separator: ",\n") + "\n  }"
    }

    /// An array with a line for each element.
    private func list(_ elements: [String]) -> String {
        guard !elements.isEmpty else { return "[]" }
        return "[\n" + elements.map { "    \($0)" }.joined(separator: ",\n") + "\n  ]"
    }

    /// Seconds to the millisecond.
    private func rounded(_ seconds: Double) -> String { String((seconds * 1000).rounded() / 1000) }
}

extension FieldFacts {
    /// As the report has it.
    package var jsonMembers: [(String, String)] {
        let types = ValueType.allCases.compactMap { type in self.types[type].map { (type.rawValue, String($0)) } }
        return [("records", String(records)), ("types", JSONText.object(types))]
    }
}
