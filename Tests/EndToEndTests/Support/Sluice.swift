import Foundation
import Synchronization
import TestSupport

/// The built command, run as a user runs it.
enum Sluice {
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String

        /// The report of `--format json`.
        var report: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:]
        }

        /// The counts of an entity in the report.
        func counts(_ entity: String) -> [String: Any] {
            (report["entities"] as? [String: Any])?[entity] as? [String: Any] ?? [:]
        }

        func count(_ entity: String, _ key: String) -> Int? { counts(entity)[key] as? Int }

        /// The value from which a source with `since` is asked the next time.
        func mark(_ source: String = "main") -> String? {
            let sources = report["sources"] as? [String: [String: Any]]
            return (sources?[source]?["since"] as? [String: Any])?["value"] as? String
        }

        /// What a failed run would have done to an entity, and has undone.
        func undone(_ entity: String, _ key: String) -> Int? {
            (counts(entity)["undone"] as? [String: Any])?[key] as? Int
        }
    }

    /// The command as it is delivered, where `make test` has built it and says so: a debug build takes several times as
    /// long, and users have none. Without that, what lies there may be of other sources, and the one beside the test
    /// bundle is run, whatever its configuration.
    static let executable: URL = {
        let release = URL(fileURLWithPath: path(".build/release/sluice"))
        let isBuilt = ProcessInfo.processInfo.environment["TEST_DELIVERED"] != nil
        return isBuilt && FileManager.default.isExecutableFile(atPath: release.path) ? release : beside
    }()

    private static let beside =
        Bundle.allBundles
        .map { $0.bundleURL.deletingLastPathComponent().appendingPathComponent("sluice") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("sluice")

    /// The root of the package.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func path(_ relative: String) -> String { root.appendingPathComponent(relative).path }

    private static let runs = Atomic(0)

    /// What overwrites memory that was freed, in one run of four: it takes a third of the time of a short one.
    private static var perturbation: [String: String] {
        let number = runs.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number % 4 == 0, ProcessInfo.processInfo.environment["TEST_PERTURBED"] != nil else { return [:] }
        return ["MALLOC_PERTURB_": "165", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"]
    }

    /// Runs the command; `through` is a command that runs it in turn. Of every run, the report and the findings are
    /// checked.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: Data? = nil, folder: String? = nil,
        through wrapper: [String] = [], command: URL = executable
    ) throws -> Outcome {
        let process = Process()
        let check = ReportCheck()
        let words = wrapper + [command.path] + (wrapper.isEmpty ? check.adding(to: arguments) : arguments)
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(perturbation) { $1 }
            .merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        let scratch = TemporaryFolder()
        let (output, errors) = (scratch.file("out"), scratch.file("err"))
        process.standardOutput = try scratch.handle("out")
        process.standardError = try scratch.handle("err")
        if let input {
            try input.write(to: URL(fileURLWithPath: scratch.file("in")))
            process.standardInput = FileHandle(forReadingAtPath: scratch.file("in"))
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        try process.run()
        process.waitForEnd()
        try check.check(folder: folder)
        // A signal as a shell reports it.
        let status = process.terminationStatus
        let outcome = Outcome(
            status: process.terminationReason == .uncaughtSignal ? 128 + status : status,
            output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try String(contentsOfFile: errors, encoding: .utf8))
        if wrapper.isEmpty { try ReportCheck.check(check.adding(to: arguments), outcome, folder: folder) }
        return outcome
    }
}

/// A folder that goes away with the test.
final class TemporaryFolder {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file, in folders that are made, and returns its path.
    func write(_ name: String, _ text: String) throws -> String {
        if name.contains("/") {
            let folder = URL(fileURLWithPath: file(name)).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try text.write(toFile: file(name), atomically: true, encoding: .utf8)
        return file(name)
    }

    func write(_ name: String, _ data: Data) throws -> String {
        try data.write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    func handle(_ name: String) throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: file(name), contents: nil)
        return try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
    }

    /// Removes a file that may not be there.
    func remove(_ name: String) throws {
        if FileManager.default.fileExists(atPath: file(name)) { try FileManager.default.removeItem(atPath: file(name)) }
    }

    /// What is in it, but for the fingerprints that runs leave beside their stores. One that is not whole is there.
    var names: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
        return all.filter { !$0.contains(".fingerprints-") || $0.hasSuffix(".new") }
    }
}

/// Feeds that are not part of the project.
enum Feeds {
    /// Of Debian's package iso-codes.
    static let isoCodes = "/usr/share/iso-codes/json"
    /// Beside the project; tests that need it are skipped where it is missing.
    static let shared = Sluice.path("../shared/feeds")

    static func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
