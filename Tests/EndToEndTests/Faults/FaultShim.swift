import Foundation

/// The library that stands between the command and the system's calls, compiled by the tests themselves.
enum FaultShim {
    /// Calls that it counts, and can make fail.
    struct Kinds: OptionSet, Hashable {
        let rawValue: Int

        static let writing = Kinds(rawValue: 1)
        static let syncing = Kinds(rawValue: 2)
        static let resizing = Kinds(rawValue: 4)
        /// Files and folders are made, named and removed.
        static let naming = Kinds(rawValue: 8)
        static let threads = Kinds(rawValue: 16)
        static let reading = Kinds(rawValue: 32)
        /// Files are opened that are there.
        static let opening = Kinds(rawValue: 64)
        static let mapping = Kinds(rawValue: 128)
        static let locking = Kinds(rawValue: 256)
        /// Sizes, times and kinds of files are asked for.
        static let looking = Kinds(rawValue: 512)
        static let network = Kinds(rawValue: 1024)
        /// Memory that libraries of C ask for.
        static let memory = Kinds(rawValue: 2048)

        /// Whatever changes a disk.
        static let changes: Kinds = [.writing, .syncing, .resizing, .naming]
    }

    /// What becomes of a call.
    enum Fault: Int32, CaseIterable {
        case inputOutput = 5
        case noSpace = 28
        /// The process dies in it, as by `kill -9`.
        case death = -1
    }

    /// Beside the command. Nil where there is no compiler.
    static let path: String? = {
        let path = Sluice.executable.deletingLastPathComponent().path + "/faults.so"
        let source = Sluice.path("Tests/EndToEndTests/Shims/faults.c")
        for compiler in ["cc", "gcc", "clang"] {
            let words = [compiler, "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"]
            if (try? Shell.run(words)) == 0 { return path }
        }
        return nil
    }()

    static var isThere: Bool { path != nil }

    /// The variables under which the command's calls to the files of a folder, and to its temporary ones, are counted.
    static func counting(_ disk: String, to file: String, _ kinds: Kinds = .changes) -> [String: String] {
        common(disk, kinds).merging(["FAULT_COUNT": file]) { $1 }
    }

    /// Under which a call fails, counted from 1, and perhaps all after it.
    static func failing(_ disk: String, call: Int, _ fault: Fault, isSticky: Bool) -> [String: String] {
        failing(disk, .changes, call: call, error: fault.rawValue, isSticky: isSticky)
    }

    /// The same with calls of other kinds, and any error of the system; -1 is death.
    static func failing(_ disk: String, _ kinds: Kinds, call: Int, error: Int32, isSticky: Bool) -> [String: String] {
        var variables = common(disk, kinds)
        variables["FAULT_AT"] = "\(call)"
        variables["FAULT_ERROR"] = "\(error)"
        if isSticky { variables["FAULT_STICKY"] = "1" }
        return variables
    }

    /// Under which the system gives no thread when it is asked for that one, counted from 1, and perhaps for all after
    /// it.
    static func lackingThreads(from number: Int, isSticky: Bool) -> [String: String] {
        failing("", .threads, call: number, error: EAGAIN, isSticky: isSticky)
    }

    /// Under which all that is done to the files of a folder is noted, in the order in which it is done.
    static func recording(_ disk: String, to file: String) -> [String: String] {
        common(disk, []).merging(["FAULT_LOG": file]) { $1 }
    }

    /// Under which a file says what is open in the end: of the folder, sockets, and threads.
    static func leaving(_ file: String) -> [String: String] { ["FAULT_LEFT": file] }

    private static func common(_ disk: String, _ kinds: Kinds) -> [String: String] {
        var variables = ["LD_PRELOAD": path ?? "", "FAULT_FOLDER": disk, "FAULT_KINDS": "\(kinds.rawValue)"]
        if kinds.contains(.memory) { variables["FAULT_LIBRARIES"] = "libsqlite3,libcurl,libarchive," }
        return variables
    }

    /// The calls that were counted.
    static func count(_ file: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: file) else { return 0 }
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        return data.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// How much is tried: a little in every test run, a lot with `make faults`.
enum FaultEffort {
    static let isLong = ProcessInfo.processInfo.environment["SLUICE_FAULTS"] == "long"

    static func rounds(_ short: Int, long: Int) -> Int { isLong ? long : short }
}
