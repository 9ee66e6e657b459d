import SluiceDefinition
import SluiceExtract
import SluiceKnown
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceTransform

/// The fingerprints of a run's feeds: what the last run of the pipeline has left of its items, and what this one
/// leaves. Items that are known byte for byte are not parsed.
///
/// The feeds remain the only source of truth. Where anything is in doubt (another definition, another version, a store
/// that was written to, a file that was damaged, a record that contradicts one that was read), all is read.
final class Fingerprints {
    let noting: ItemNoting
    private let store: any FingerprintStore
    private let secret: String
    private let path: String
    private var old: KnownFile?
    private var writer: KnownWriter?
    private let recorder: ItemRecorder?
    private let model: Model
    /// The digest of the order of its parts.
    private let order: String
    private var isFinished = false
    private let isDry: Bool
    private let tableBytes: Int
    private var excluded: [[Int64]] = []
    private var isCounted = false
    /// By source: whether all of it is read, since a run needs more of its records than what is stored.
    private let isReadInFull: [Bool]

    /// Nil where a run takes no fingerprints.
    ///
    /// - Parameters:
    ///   - inputs: the feeds. Where services are asked for each record of an entity, all of these are read.
    ///   - readsAll: whether what the last run has left is not to be used.
    init?(
        _ inputs: [FeedInput], _ model: Model, _ store: any OpenStore, _ lastRun: LastRun, _ start: RunStart,
        isDry: Bool, readsAll: Bool, tableBytes: Int
    ) throws(Failure) {
        let parents = Set(inputs.compactMap { $0.parentsOfAnswers?.entity })
        isReadInFull = inputs.indices.map { source in
            parents.contains { model.entities[$0].sources.contains(source) }
        }
        guard let fingerprints = store.fingerprintStore, let path = fingerprints.fingerprintPath else { return nil }
        self.path = path
        self.store = fingerprints
        self.model = model
        order = try model.orderDigest
        self.isDry = isDry
        try fingerprints.watch()
        let row = try fingerprints.fingerprints()
        let old =
            try readsAll ? nil : Fingerprints.lastFile(row, path, model, fingerprints, lastRun, start, order: order)
        // A dry run leaves nothing.
        if isDry, old == nil { return nil }
        let secret = row?.secret ?? Fingerprints.newSecret()
        guard let bytes = Fingerprints.bytes(ofHex: secret) else { return nil }
        self.secret = secret
        self.old = old
        self.tableBytes = tableBytes
        let noting = ItemNoting(secret: bytes, drifts: old?.drifts ?? [])
        // Where the file of fingerprints cannot be made, the run ends by noting in the store that there is none.
        writer = isDry ? nil : try? KnownWriter(path, secret: bytes, old: old)
        self.noting = noting
        recorder = writer.map { ItemRecorder($0, noting, model) }
    }

    /// The most objects whose records the next run must read: it holds all of them in memory.
    private static let mostExcluded = 1 << 20

    deinit { if !isFinished { writer?.abandon() } }

    /// What the last run has left, if it was of this definition and version, and the store may be as that run left it.
    private static func lastFile(
        _ row: FingerprintRow?, _ path: String, _ model: Model, _ store: any FingerprintStore, _ lastRun: LastRun,
        _ start: RunStart, order: String
    ) throws(Failure) -> KnownFile? {
        guard let row, let run = try lastRun.row(), run.definition == start.definition,
            run.version == start.version, let secret = bytes(ofHex: row.secret),
            let identity = identity(row.identity, order: order),
            let file = KnownFile(
                path, secret: secret, identity: identity,
                relationships: { $0 < model.entities.count ? model.entities[$0].relationships.count : nil }),
            let stamp = StoreStamp(file.stamp), store.mayHave(stamp)
        else { return nil }
        return file
    }

    /// By entity: the objects that wait for a target.
    private static func waiting(_ model: Model, _ run: any StoreRun) throws(Failure) -> [[Int64]] {
        var waiting: [[Int64]] = []
        for (index, entity) in model.entities.enumerated() {
            var objectIDs: [Int64] = []
            for relationship in entity.relationships.indices {
                objectIDs += try run.waitingObjects(entity: index, relationship: relationship).all
            }
            waiting.append(objectIDs)
        }
        return waiting
    }

    // MARK: While the feeds are read

    /// Whether this run knows items by the last one.
    var knowsItems: Bool { old != nil }

    /// Whether anything was taken for known; to be asked once reading has ended.
    var hasKnown: Bool { noting.hasKnown || noting.isInDoubt }

    /// How many records that count were known.
    var knownRecords: Int {
        noting.searches.values.reduce(0) { sum, search in
            sum + zip(search.counts, search.file.shapes).reduce(0) { $1.1.counts ? $0 + $1.0 : $0 }
        }
    }

    /// Takes in a batch that has been loaded. The run does not fail where fingerprints cannot be written.
    func observe(_ batch: RecordBatch) {
        guard writer != nil, let recorder else { return }
        do throws(Failure) { try recorder.observe(batch) } catch { giveUp() }
    }

    func giveUp() {
        writer?.abandon()
        writer = nil
    }

    /// Counts the records that were known: once all feeds are read, or reading has failed.
    func count(in loader: Loader, _ census: FieldCensus) {
        guard !isCounted else { return }
        isCounted = true
        for search in noting.searches.values {
            for (number, records) in search.counts.enumerated() where records > 0 {
                let shape = search.file.shapes[number]
                guard shape.counts else { continue }
                census.add(known: records, of: shape.entity, kinds: shape.kinds)
                loader.countKnown(records, of: shape.entity, held: shape.held)
            }
        }
    }

    /// Adds what drift notes of the items that were known, once all feeds are read.
    func addKnownDrift(to facts: inout [FeedFacts], _ census: FieldCensus) {
        for (source, search) in noting.searches {
            for (number, items) in search.driftCounts.enumerated() where items > 0 {
                for note in search.file.drifts[number] {
                    if note.kind == .untaken {
                        census.add(known: note.records * Int(items), untaken: note.path, of: note.entity)
                    } else {
                        facts[source].drift.add(note, items)
                    }
                }
            }
        }
    }

    // MARK: The end

    /// Throws where records that were not read might refer to other objects now, once the loader has finished.
    func check(_ loader: Loader) throws(Failure) {
        guard noting.hasKnown else { return }
        for search in model.twinSearches(highest: loader.highestAtStart) where try store.hasTwin(search) {
            throw Loader.contradiction
        }
    }

    /// Notes of which objects the next run must read every record, once the loader has finished.
    func exclude(of loader: Loader) {
        let alsoWritten = store.hidesWritesBeside
        excluded = model.entities.indices.map { _ in [] }
        var rest = Fingerprints.mostExcluded
        for entity in model.entities.indices {
            guard let objects = loader.objectsToRead(entity, alsoWritten: alsoWritten, most: rest) else {
                return giveUp()
            }
            excluded[entity] = objects
            rest -= objects.count
        }
    }

    /// Ends the fingerprints, and notes in the store which file they are in: within its transaction, when all else is
    /// written.
    func finish() throws(Failure) {
        if writer != nil { try store.watchEnd() }
        var row: FingerprintRow?
        if let writer {
            do throws(Failure) {
                let identity = ItemHash.Value(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
                try writer.finish(
                    identity: identity, drifts: noting.drifts, excluded: excluded)
                row = FingerprintRow(secret: secret, identity: "\(identity.high)-\(identity.low)-\(order)")
            } catch {
                giveUp()
            }
        }
        if !isDry { try store.replaceFingerprints(row ?? FingerprintRow(secret: secret, identity: "")) }
    }

    /// Gives the file of fingerprints its name, now that the run is saved.
    func publish() {
        guard let writer, let stamp = store.stamp, (try? writer.publish(stamp.words)) != nil else { return }
        isFinished = true
    }

    /// Confirms that the store is as the last run left it, except for the ledger: nothing was loaded.
    func confirm() {
        guard !isDry, let old, let stamp = store.stamp else { return }
        old.confirm(at: path, stamp.words)
    }

    /// Begins, within the transaction of the run. Throws where others have written to the store since it was looked at:
    /// what is known is outdated.
    func begin(_ run: any StoreRun) throws(Failure) {
        let isUntouched = try store.isUntouched(since: old.flatMap { StoreStamp($0.stamp) })
        guard let old, isUntouched else {
            self.old = nil
            return
        }
        let waiting = try Fingerprints.waiting(model, run)
        noting.expect { [tableBytes, isReadInFull] source in
            isReadInFull[source] ? nil : KnownSearch(old, source: source, waiting: waiting, tableBytes: tableBytes)
        }
    }

    /// Undoes a run as if it had never begun; false where it could not.
    func retract() -> Bool {
        giveUp()
        return (try? store.retract()) != nil
    }

    // MARK: Words

    private static func newSecret() -> String {
        // From the system's generator, whose numbers cannot be predicted.
        let bytes = (0..<ItemHash.secretBytes).map { _ in UInt8.random(in: 0 ... .max) }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(ofHex text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * ItemHash.secretBytes, digits.count == text.utf8.count else { return nil }
        return (0..<ItemHash.secretBytes).map { UInt8(digits[2 * $0] * 16 + digits[2 * $0 + 1]) }
    }

    /// The identity of a file; nil where a model of another order left it: the hash of a definition does not depend on
    /// the order, and the file calls parts of the model by their numbers.
    private static func identity(_ text: String, order: String) -> ItemHash.Value? {
        let parts = text.split(separator: "-")
        guard parts.count == 3, let high = UInt64(parts[0]), let low = UInt64(parts[1]), parts[2] == order else {
            return nil
        }
        return ItemHash.Value(low: low, high: high)
    }
}

extension FeedDrift {
    /// Counts a field of items that were known: at least one like them was read.
    fileprivate mutating func add(_ note: DriftNote, _ items: Int) {
        for index in fields.indices
        where fields[index].entity == note.entity && fields[index].isRepeated == (note.kind == .repeated)
            && fields[index].path.description.isIdentical(to: note.path)
        {
            fields[index].records += UInt64(note.records * items)
            return
        }
        for index in notedFields.indices
        where notedFields[index].entity == note.entity && notedFields[index].isRepeated == (note.kind == .repeated)
            && notedFields[index].path.description.isIdentical(to: note.path)
        {
            notedFields[index].known += UInt64(note.records * items)
            return
        }
    }
}
