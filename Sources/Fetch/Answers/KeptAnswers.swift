import Glibc
import SluiceExtract
import SluiceRecords

/// The answers of a service that are kept: for a run that goes on where one has died, and for later runs, which ask
/// only whether they still hold.
///
/// What changes is guarded by `monitor`, the files included.
package final class KeptAnswers: @unchecked Sendable {
    package struct Settings: Sendable, Hashable {
        /// Seconds for which answers of a run that has not succeeded are good; nil: they are not kept.
        package var resume: Double?
        /// Bytes that the answers of a run that has succeeded may take, compressed; nil: they are not kept.
        package var cache: UInt64?

        package init() {}

        package var areKept: Bool { resume != nil || cache != nil }
    }

    /// An answer that is there.
    struct Found {
        var entry: AnswerFile.Entry
        /// Whether a run left it that has not succeeded, or the first reading of this one.
        fileprivate(set) var isLeft: Bool
        /// What the service is asked with whether it still holds.
        var validators: Validators? {
            let validators = entry.answer.head.validators
            return validators.isEmpty ? nil : validators
        }
        /// Whether it is good as it is; else the service is asked whether it still holds.
        var isGood: Bool
        /// Whether this run has asked for it itself, in its first reading.
        var isOwn = false
        /// Whether it was kept by a run that has succeeded, and nobody has asked since whether it still holds.
        var isOfCache: Bool { !isLeft || entry.answer.isOfCache }
    }

    private let monitor = Monitor()
    private let path: String
    private let settings: Settings
    /// What this run writes, and one that has died has left.
    private var current: AnswerFile?
    /// What the last run that succeeded has left.
    private let last: AnswerFile?
    private var left: [ExactText: AnswerFile.Entry] = [:]
    private var cached: [ExactText: AnswerFile.Entry] = [:]
    /// What this run has used, in the order in which it did.
    private var used: [(entry: AnswerFile.Entry, isLeft: Bool)] = []
    /// How many seconds ago the last of the answers came that a run has left which has not succeeded, or the first
    /// reading of this one; nil: there are none.
    package let silence: Int?
    package var hasLeft: Bool { silence != nil }
    private var added = 0
    private let writes: Bool
    private let reading: Reading

    /// A run that knows items of its feed by the run before may have to read all of it after all.
    package enum Reading: Sendable {
        /// The only one.
        case only
        /// Perhaps there is another: all answers are kept for it.
        case first
        /// The second: it takes the answers that the first has left.
        case second
    }

    /// Of one answer, uncompressed: a longer one is asked for again.
    static let mostBytes = 8 << 20
    /// Of the answers of a run, compressed, where the definition says nothing.
    private static let mostOfRun: UInt64 = 4 << 30

    /// - Parameters:
    ///   - path: the file; that of the current run has `.new` behind it.
    ///   - usesKept: whether answers of earlier runs are taken.
    ///   - writes: whether anything is kept.
    package init(
        _ path: String, _ settings: Settings, usesKept: Bool, writes: Bool, reading: Reading = .only
    ) throws(Failure) {
        self.path = path
        self.reading = reading
        self.settings = settings
        self.writes = writes
        let now = time(nil)
        last = settings.cache != nil && usesKept ? AnswerFile(existing: path, isWritten: false) : nil
        for entry in last?.entries() ?? [] { cached[ExactText(entry.answer.key)] = entry }
        // What the first reading has left was good for it.
        let mostSeconds = reading == .second ? .infinity : usesKept ? settings.resume : nil
        if let mostSeconds, let old = AnswerFile(existing: path + ".new", isWritten: writes) {
            // A clock may have been set back.
            for entry in old.entries() where entry.answer.time <= now + 60 {
                let isYoung = Double(now - entry.answer.time) < mostSeconds
                left[ExactText(entry.answer.key)] = isYoung ? entry : nil
            }
            current = old
        }
        silence = left.values.map(\.answer.time).max().map { now - $0 }
        if current == nil, writes { current = try AnswerFile(new: path + ".new") }
    }

    /// Deletes what is kept under a path.
    package static func delete(_ path: String) {
        for name in [path, path + ".new", path + ".part"] { _ = unsafe unlink(name) }
    }

    /// What is known of a request.
    func find(_ key: String) -> Found? {
        monitor.withLock {
            if let entry = left[ExactText(key)] {
                return Found(entry: entry, isLeft: true, isGood: true, isOwn: reading == .second)
            }
            guard let entry = cached[ExactText(key)] else { return nil }
            return Found(entry: entry, isLeft: false, isGood: entry.answer.isFresh(at: time(nil)))
        }
    }

    /// The content of an answer, which is used; nil: it is damaged, and is asked for again.
    ///
    /// - Parameter head: what the service has said now, where it was asked.
    func use(_ found: Found, _ head: ResponseHead? = nil) -> [UInt8]? {
        monitor.withLock {
            let file = found.isLeft ? current : last
            guard let body = file?.body(of: found.entry),
                let content = ZstdBytes.decompress(body, size: found.entry.answer.size)
            else {
                left[ExactText(found.entry.answer.key)] = nil
                cached[ExactText(found.entry.answer.key)] = nil
                return nil
            }
            var entry = found.entry
            if let head { entry.answer = entry.answer.renewed(head) }
            // Should this run die, or read all again, the next one need not even ask.
            if !found.isLeft, keepsAll {
                var answer = entry.answer
                answer.isOfCache = head == nil
                _ = write(answer, body)
            }
            used.append((entry, found.isLeft))
            return content
        }
    }

    /// Keeps an answer that has come whole.
    func add(_ answer: KeptAnswer, _ content: [UInt8]) {
        monitor.withLock {
            guard keepsAll || answer.mayBeCached,
                let entry = write(answer, AnswerFile.body(of: content))
            else { return }
            added += 1
            used.append((entry, true))
        }
    }

    private var keepsAll: Bool { settings.resume != nil || reading == .first }

    /// - Parameter body: the content, compressed: only what is written is.
    private func write(_ answer: KeptAnswer, _ body: @autoclosure () -> [UInt8]?) -> AnswerFile.Entry? {
        let most = keepsAll ? KeptAnswers.mostOfRun : settings.cache ?? 0
        // A disk that is full is no reason to fail: the run does without.
        guard writes, let current, UInt64(current.end) < most, let body = body() else { return nil }
        return current.append(answer, body)
    }

    // MARK: The end of the run

    package enum End: Sendable {
        /// The run has succeeded.
        case success
        /// What the service has said is what was wrong.
        case useless
        /// The run can be started again.
        case failure
        /// The run reads all again, and takes what is there.
        case again
    }

    package func end(_ end: End) {
        monitor.withLock {
            guard writes, current != nil else { return }
            defer { current = nil }
            if end == .again { return }
            let isKept = end == .failure && settings.resume != nil && !(hasLeft && added == 0)
            // What the next run would go on with only to fail again is of no use.
            if end == .success { publish() }
            if !isKept { _ = unsafe unlink(path + ".new") }
        }
    }

    /// Writes the answers that were used, and may be kept, to the file of later runs.
    private func publish() {
        guard let most = settings.cache else {
            _ = unsafe unlink(path)
            return
        }
        guard let file = try? AnswerFile(new: path + ".part") else { return }
        for (entry, isLeft) in used where entry.answer.mayBeCached {
            guard UInt64(file.end + entry.count) <= most else { break }
            guard let body = (isLeft ? current : last)?.body(of: entry) else { continue }
            guard file.append(entry.answer, body) != nil else { break }
        }
        if !file.publish(as: path) { _ = unsafe unlink(file.path) }
    }
}
