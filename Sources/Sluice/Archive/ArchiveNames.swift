/// The names of saved feeds: `PIPELINE.STARTED.runNUMBER.SOURCE.FILE.json.zst`.
struct ArchiveNames {
    /// Who has saved a feed.
    enum Saver {
        case run(Int)
        /// A run that no ledger knows: its feed takes the place of the one before.
        case unrecorded
        /// `sluice fetch`, without a run.
        case fetch
    }

    private let pipeline: String
    private let started: String

    /// - Parameter started: RFC 3339, UTC.
    init(pipeline: String, started: String) {
        self.pipeline = ArchiveNames.word(pipeline)
        self.started = started.filter { $0 != "-" && $0 != ":" }
    }

    /// What the names of files of a run begin with.
    var beginning: String { "\(pipeline).\(started)." }

    /// - Parameters:
    ///   - file: the index of the file in its source.
    ///   - copy: from 2 on where others have the names before.
    func name(by saver: Saver, _ input: FeedInput, file: Int, copy: Int = 1) -> String {
        let suffix = copy > 1 ? "-\(copy)" : ""
        let which =
            switch saver {
            case .run(let number): "\(started).run\(number)\(suffix)"
            case .unrecorded: "unrecorded\(suffix)"
            case .fetch: "\(started).fetched\(suffix)"
            }
        // The ending says how to read the file, for a replay by its name.
        let ending = input.format == .lines ? "ndjson" : input.format.rawValue
        return "\(pipeline).\(which).\(ArchiveNames.word(input.source.name)).\(file + 1).\(ending).zst"
    }

    /// What the names of files begin with that runs have saved of which no ledger knows.
    var unrecorded: String { "\(pipeline).unrecorded" }

    /// Whether a name is one that this pipeline gives to the feed of such a run.
    func isUnrecorded(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 6 && parts[0] == pipeline && parts[5] == "zst"
            && (parts[1] == "unrecorded" || parts[1].hasPrefix("unrecorded-"))
            && !name.utf8.contains(UInt8(ascii: "/"))
    }

    /// Whether a name is one that this pipeline gives to the feed of a run that the ledger knows.
    func isOwn(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 7 && parts[0] == pipeline && parts[2].hasPrefix("run") && parts[6] == "zst"
            && !name.utf8.contains(UInt8(ascii: "/"))
    }

    /// What names may hold anywhere; all else becomes `_`, with the length bounded.
    private static func word(_ text: String) -> String {
        let safe = text.utf8.prefix(80).map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                byte
            default: UInt8(ascii: "_")
            }
        }
        return String(decoding: safe, as: UTF8.self)
    }
}
