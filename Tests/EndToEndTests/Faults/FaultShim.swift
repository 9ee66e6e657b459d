import Foundation

/// The library that stands between the command and the system's calls, compiled by the tests themselves.
enum FaultShim {
    /// Calls that it can make fail; to be added up.
    enum Kinds {
        static let all = 15
        static let threads = 16
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
    static func counting(_ disk: String, to file: String) -> [String: String] {
        common(disk).merging(["FAULT_KINDS": "\(Kinds.all)", "FAULT_COUNT": file]) { $1 }
    }

    /// Under which a call fails, counted from 1, and perhaps all after it.
    static func failing(_ disk: String, call: Int, _ fault: Fault, isSticky: Bool) -> [String: String] {
        var variables = common(disk)
        variables["FAULT_KINDS"] = "\(Kinds.all)"
        variables["FAULT_AT"] = "\(call)"
        variables["FAULT_ERROR"] = "\(fault.rawValue)"
        if isSticky { variables["FAULT_STICKY"] = "1" }
        return variables
    }

    /// Under which the system gives no thread when it is asked for that one, counted from 1, and perhaps for all after it.
    static func lackingThreads(from number: Int, isSticky: Bool) -> [String: String] {
        var variables = ["LD_PRELOAD": path ?? "", "FAULT_KINDS": "\(Kinds.threads)", "FAULT_AT": "\(number)"]
        variables["FAULT_ERROR"] = "\(EAGAIN)"
        if isSticky { variables["FAULT_STICKY"] = "1" }
        return variables
    }

    /// Under which all that is done to the files of a folder is noted, in the order in which it is done.
    static func recording(_ disk: String, to file: String) -> [String: String] {
        common(disk).merging(["FAULT_LOG": file]) { $1 }
    }

    private static func common(_ disk: String) -> [String: String] {
        ["LD_PRELOAD": path ?? "", "FAULT_FOLDER": disk]
    }

    /// The calls that were counted.
    static func count(_ file: String) throws -> Int {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        return data.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// How much is tried: a little in every test run, a lot with `make faults`.
enum FaultEffort {
    static let isLong = ProcessInfo.processInfo.environment["SLUICE_FAULTS"] == "long"

    static func rounds(_ short: Int, long: Int) -> Int { isLong ? long : short }
}
