import SluiceDefinition
import SluiceExtract
import SluiceRecords
import SluiceTransform

extension RunReport {
    /// A report as the ledger keeps it; nil where the text is none.
    ///
    /// - Parameter sources: what the ledger says of the run's sources; findings in files are placed by it.
    package init?(json: String, sources ledger: LedgerSources?) {
        guard let root = (try? JSONTree.read(Array(json.utf8), file: "the ledger"))?.root,
            let pipeline = root["pipeline"]?.text, let status = root["status"]?.text.flatMap(Status.init),
            let started = root["started"]?.text.flatMap(Timestamp.init(text:)),
            let finished = root["finished"]?.text.flatMap(Timestamp.init(text:))
        else { return nil }
        var task = Task(
            pipeline: pipeline, store: root["store"]?.text ?? "",
            commit: root["commit"]?.text.flatMap(Commit.init) ?? .run)
        if root.isTrue("replay") { task.isReplay = true }
        if root.isTrue("mended") { task.replaysRejects = true }
        if root.isTrue("full") { task.isFull = true }
        task.findings = root["findingsFile"]?.text
        task.allowed = root["allowed"]?.members.map { ($0.key, $0.value.text ?? "") } ?? []
        self.init(
            task, run: root["run"]?.integer, status: status, started: started, finished: finished)
        readEnd(root)
        time.recordedSeconds = root["seconds"]?.real
        earlier.compared = root["comparedWith"]?.integer
        outcome.isReshaped = root.isTrue("reshaped")
        outcome.exceeded = root["exceeded"]?.list.compactMap(ExceededLimit.init) ?? []
        self.sources = root["sources"]?.members.map { SourceFacts(name: $0.key, $0.value) } ?? []
        wire = root["wire"]?.members.map { WireFacts(name: $0.key, $0.value) } ?? []
        entities = root["entities"]?.members.map { EntityFacts(name: $0.key, $0.value) } ?? []
        known = root.count("known")
        checks = root["checks"]?.members.map { CheckFacts(name: $0.key, $0.value) } ?? []
        if let cache = root["cache"] { self.cache = CacheFacts(cache) }
        for kind in Finding.Kind.allCases { found.counts[kind] = root["findings"]?[kind.rawValue]?.integer ?? 0 }
        for kind in Finding.Kind.allCases { found.news[kind] = root["new"]?[kind.rawValue]?.integer }
        found.digests = FindingDigests { root["digests"]?[$0.rawValue]?.text }
        found.missingTargets = root["lacking"]?.list.map(MissingTarget.init) ?? []
        let named = self.sources.map { Feed(source: $0.name, location: $0.location, files: [$0.location]) }
        found.feeds = ledger?.sources.map(\.feed) ?? named
        var reading = FindingReading(feeds: found.feeds)
        found.examples = root["examples"]?.list.compactMap { reading.finding($0) } ?? []
        // A runner of plans leaves it to this module to say what is wrong with rejects: it hands all of them over.
        let rejects = root["rejects"]?.list.compactMap { reading.finding($0) } ?? []
        found.rejectGroups = RejectGroups.grouped(rejects, outcome.exceeded)
        found.feeds = reading.feeds
    }

    private typealias Commit = PipelineDefinition.Commit

    /// How the run ended. The exit status tells of what kind an error was; earlier versions did not note it.
    private mutating func readEnd(_ root: JSONNode) {
        let known = root["exitStatus"]?.integer.flatMap(Int32.init(exactly:))
        let exit = known ?? Failure.Kind.data.rawValue
        outcome.hasKnownExit = known != nil
        outcome.error = root["error"]?.failure(Failure.Kind(rawValue: exit) ?? .data)
        if outcome.status == .cancelled, exit > 128 { outcome.signal = exit - 128 }
        earlier.standing = root["failing"].flatMap { Standing($0) }
    }
}

extension RunReport.SourceFacts {
    fileprivate init(name: String, _ node: JSONNode) {
        self.init(
            name: name, location: node["location"]?.text ?? "", bytes: UInt64(node.count("bytes")),
            values: UInt64(node.count("values")), sha256: node["sha256"]?.text ?? "")
        if let attribute = node["since"]?["attribute"]?.text {
            since = Since(attribute: attribute, value: node["since"]?["value"]?.text)
        }
        taken = node["taken"]?.text
        if node.isTrue("anew") { isAnew = true }
        if node.isTrue("outdated") { isOutdated = true }
        if node["firstPage"] != nil { firstPage = UInt64(node.count("firstPage")) }
        goneFiles = node["gone"]?.list.compactMap(\.text) ?? []
        unused = node["unused"]?.members.map { member in
            UnusedList(path: member.key, isNew: member.value["new"] == nil ? nil : member.value.isTrue("new"))
        }
    }
}

extension RunReport.WireFacts {
    fileprivate init(name: String, _ node: JSONNode) {
        self.init(name: name)
        requests = node.count("requests")
        bytes = UInt64(node.count("bytes"))
        notModified = node.count("notModified")
        kept = node.count("kept")
        retries = node["retries"]?.members.map { ($0.key, $0.value.integer ?? 0) } ?? []
        retrySeconds = node["waited"]?["retries"]?.real ?? 0
        rateSeconds = node["waited"]?["rate"]?.real ?? 0
        serviceSeconds = node["waited"]?["service"]?.real ?? 0
    }
}

extension RunReport.CacheFacts {
    fileprivate init(_ node: JSONNode) {
        self.init(
            objects: node.count("objects"), bytes: node.count("bytes"), peakBytes: node.count("peakBytes"),
            limit: node.count("limit"))
    }
}

extension RunReport.EntityFacts {
    fileprivate init(name: String, _ node: JSONNode) {
        let relationships = node["relationships"]?.members ?? []
        var counts = EntityCounts(relationships: relationships.count)
        node.read(EntityCounts.reported, into: &counts)
        node["duplicates"]?.read(EntityCounts.duplicates, into: &counts)
        // Of what was undone, nothing is in the store, and a report tells of it all the same.
        node["undone"]?.read(EntityCounts.changes, into: &counts)
        for (index, member) in relationships.enumerated() {
            member.value.read(RelationshipCounts.reported, into: &counts.relationships[index])
        }
        self.init(name: name, relationships: relationships.map(\.key), counts: counts)
        fields = node["fields"]?.members.map { FieldFacts(name: $0.key, $0.value) } ?? []
        unused = node["unused"]?.members.map { RunReport.UnusedField(name: $0.key, $0.value) } ?? []
        untaken = node["untaken"]?.members.map { RunReport.UnusedField(name: $0.key, $0.value) } ?? []
        repeated = node["repeated"]?.list.compactMap(\.text) ?? []
        converted = node["converted"]?.list.compactMap(\.text) ?? []
        recordsBefore = node["recordsBefore"]?.integer
        news = node["news"]?.list.compactMap { $0.text.flatMap(RunReport.EntityNews.init) } ?? []
        marks = node.isTrue("marks")
    }
}

extension RunReport.UnusedField {
    fileprivate init(name: String, _ node: JSONNode) {
        self.init(name: name, records: node.count("records"), sought: node["sought"]?.text)
        if case .boolean(let isNew)? = node["new"]?.kind { self.isNew = isNew }
    }
}

extension MissingTarget {
    fileprivate init(_ node: JSONNode) {
        self.init(
            entity: node["entity"]?.text ?? "", relationship: node["relationship"]?.text ?? "",
            value: node["value"]?.spaced ?? "null", references: node.count("references"))
    }
}

extension FieldFacts {
    fileprivate init(name: String, _ node: JSONNode) {
        self.init(name: name)
        records = node.count("records")
        for type in ValueType.allCases {
            if let count = node["types"]?[type.rawValue]?.integer { types[type] = count }
        }
    }
}

extension ExceededLimit {
    fileprivate init?(_ node: JSONNode) {
        let (allowed, found) = (node.count("allowed"), node.count("found"))
        if let check = node["check"]?.text {
            self.init(check: check, allowed: allowed, found: found)
        } else if let kind = node["limit"]?.text.flatMap(Allowance.Kind.init) {
            self.init(
                kind, entity: node["entity"]?.text, allowed: allowed, found: found, before: node["before"]?.integer)
        } else {
            return nil
        }
        origin = node["by"]?.text.flatMap(LimitOrigin.init)
        entities = node.texts("entities")
        share = node["share"]?.text
        total = node["of"]?.integer
        objects = (node["objects"]?.list ?? []).map { object in
            NamedObject(entity: object["entity"]?.text ?? "", identifier: object["identifier"]?.spaced ?? "null")
        }
        fields = (node["fields"]?.list ?? []).map { field in
            NamedField(entity: field["entity"]?.text ?? "", field: field["field"]?.text ?? "")
        }
    }
}
