import Foundation
import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite
import TestSupport

/// What a store held when each run had ended, kept naively: whole. What its history says is compared with it.
struct NaivePast {
    /// What a run left.
    struct Moment {
        /// The definition whose names the store had.
        var definition: TestDefinition
        var model: ModelStore
    }

    /// By the number of the run.
    private var moments: [Int: Moment] = [:]

    mutating func note(_ run: Int, _ moment: Moment) { moments[run] = moment }

    /// What is otherwise than the history of a store says: in the stores that are made of it, in its views, and in what
    /// differs between two runs.
    func differences(_ store: NightStore) -> [String] {
        guard FileManager.default.fileExists(atPath: store.path) else { return [] }
        do {
            let past = try SQLiteHistoryReader(store.path)
            let runs = moments.keys.sorted().filter { $0 <= (try? past.lastRun()) ?? 0 }
            var differences = try runs.flatMap { try earlier(store, $0) + view(store, $0) }
            for (place, run) in runs.enumerated() {
                // From the one before, and from any other one, forwards or back.
                for other in Set([place - 1, (place * 7 + 3) % runs.count]) where other >= 0 && other != place {
                    differences += try difference(past, from: runs[other], to: run)
                }
            }
            return differences.map { "\(store.way.name): \($0)" }
        } catch {
            return ["\(store.way.name): the past: \(error)"]
        }
    }

    // MARK: The store as it was

    private func earlier(_ store: NightStore, _ run: Int) throws -> [String] {
        guard let moment = moments[run] else { return [] }
        let output = "\(store.folder)/at.sqlite"
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: output + end) } }
        try SQLiteEarlierStoreWriter.write(store.path, run: run, to: output)
        let rows = try StoreRows(moment.definition, output)
        var differences = try rows.isSound() ? [] : ["at \(run): the store is damaged"]
        for (index, entity) in moment.definition.entities.enumerated() {
            differences += compare(
                "at \(run), \(entity.name)", try rows.rows(of: index), moment.model.rows(of: index))
        }
        return differences
    }

    private func compare(_ what: String, _ found: [[Text]], _ expected: [[Text]]) -> [String] {
        found.difference(from: expected).map { change in
            switch change {
            case .insert(_, let row, _): "\(what): stored: \(row)"
            case .remove(_, let row, _): "\(what): expected: \(row)"
            }
        }
    }

    // MARK: The view

    /// The versions that were true at the end of a run have the attributes that the objects had; those that came later
    /// are null.
    private func view(_ store: NightStore, _ run: Int) throws -> [String] {
        guard let moment = moments[run], let now = moments[moments.keys.max() ?? run] else { return [] }
        let rows = try StoreRows(now.definition, store.path)
        let forms = ChangedForms(moments)
        return try moment.definition.entities.indices.flatMap { index -> [String] in
            guard let found = try rows.past(of: index, at: run) else { return ["\(run): the view is missing"] }
            let lacking =
                now.definition.entities[index].attributes.count - moment.definition.entities[index].attributes.count
            let expected = PastObjects(moment, index, forms).objects.values
                .map { $0.attributes + Array(repeating: "∅", count: lacking) }
            return compare(
                "view at \(run), \(now.definition.entities[index].name)",
                found.map { forms.plain($0, of: index, at: moment) }.sortedByBytes, expected.sortedByBytes)
        }
    }

    // MARK: Differences

    private func difference(_ past: SQLiteHistoryReader, from: Int, to: Int) throws -> [String] {
        guard let before = moments[from], let after = moments[to], let now = moments[moments.keys.max() ?? to] else {
            return []
        }
        // By bytes: two names may be equal to Swift that are not to a store.
        var told: [Text: [(key: Text, what: String)]] = [:]
        try past.differences(from: from, to: to, of: nil) { entity, _, difference throws(Failure) in
            let what = difference.before == nil ? "created" : difference.after == nil ? "deleted" : "changed"
            told[Text(entity), default: []].append((PastObjects.key(difference.identifier), what))
        }
        let forms = ChangedForms(moments)
        return now.definition.entities.enumerated().flatMap { index, entity in
            let (old, new) = (PastObjects(before, index, forms), PastObjects(after, index, forms))
            let found = told[Text(entity.name), default: []].map { Text("\($0.what) \($0.key)") }.sorted()
            let (must, may) = (new.differences(from: old, exactly: false), new.differences(from: old, exactly: true))
            let what = "from \(from) to \(to), \(entity.name)"
            return must.subtracting(found).sorted().map { "\(what): not told: \($0)" }
                + Set(found).subtracting(may).sorted().map { "\(what): told: \($0)" }
                + (Set(found).count < found.count ? ["\(what): told twice: \(found)"] : [])
        }
    }
}

/// The objects of an entity, by what identifies them, whatever their entities are called.
struct PastObjects {
    struct Object {
        var isMarked: Bool
        var attributes: [Text]
        /// By relationship; with the places of links, and without.
        var links: [Text]
        var loose: [Text]
    }

    private(set) var objects: [Text: Object] = [:]

    init(_ moment: NaivePast.Moment, _ index: Int, _ forms: ChangedForms) {
        var model = forms.today(moment.model)
        for place in model.model.entities.indices { model.model.entities[place].name = "\(place)" }
        let entity = moment.definition.entities[index]
        let start = entity.absent == .mark ? 1 : 0
        let end = start + model.model.entities[index].attributes.count
        for row in model.rows(of: index).map({ forms.plain($0, of: index, at: moment, from: start) }) {
            let attributes = Array(row[start..<end])
            let links = Array(row[end...])
            // Differences write bytes in small letters, and without the mark that tells them from texts here.
            let parts = entity.identifier.map { place in
                let isBytes = entity.attributes[place].type == .bytes
                return isBytes ? attributes[place].description.dropFirst().lowercased() : attributes[place].description
            }
            let key = Text(parts.joined(separator: ","))
            objects[key] = Object(
                isMarked: start == 1 && row[0] == "1", attributes: attributes, links: links,
                loose: links.map { Text($0.description.replacing(/@[0-9]+/, with: "")) })
        }
    }

    /// What identifies an object, of JSON.
    static func key(_ identifier: String) -> Text {
        let json = StoredJSON(identifier)
        let parts = json?.elements ?? json.map { [$0] } ?? []
        return Text(
            parts.map { part in
                switch part {
                case .boolean(let value): value ? "1" : "0"
                case .number(let text), .string(let text): text
                default: "\(part)"
                }
            }.joined(separator: ","))
    }

    /// What was created, changed and deleted.
    ///
    /// - Parameter isExact: whether a link that has only got another place is a change.
    func differences(from old: PastObjects, exactly isExact: Bool) -> Set<Text> {
        var differences: Set<Text> = []
        for (key, object) in objects {
            guard let before = old.objects[key] else {
                differences.insert("created \(key)")
                continue
            }
            if !isSame(object, before, isExact) { differences.insert("changed \(key)") }
        }
        for key in old.objects.keys where objects[key] == nil { differences.insert("deleted \(key)") }
        return differences
    }

    private func isSame(_ one: Object, _ other: Object, _ isExact: Bool) -> Bool {
        // Who was marked, came back and was marked again has another time: the model knows none.
        one.isMarked == other.isMarked && !(isExact && one.isMarked) && isSame(one.attributes, other.attributes, "∅")
            && isSame(isExact ? one.links : one.loose, isExact ? other.links : other.loose, "")
    }

    /// What one of them does not have yet is nothing.
    private func isSame(_ one: [Text], _ other: [Text], _ nothing: Text) -> Bool {
        (0..<max(one.count, other.count)).allSatisfy { place in
            (place < one.count ? one[place] : nothing) == (place < other.count ? other[place] : nothing)
        }
    }
}

extension [[Text]] {
    fileprivate var sortedByBytes: [[Text]] { sorted { $0.lexicographicallyPrecedes($1) } }
}
