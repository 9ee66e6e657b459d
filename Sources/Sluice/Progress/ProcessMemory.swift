import Glibc
import SluicePosix

/// The memory of this process, in bytes.
enum ProcessMemory {
    /// What it has now; 0 where the system does not tell.
    static var resident: Int {
        // The second number counts pages.
        let fields = text(of: "/proc/self/statm").split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }

    /// The most that it has had so far; without that of the program that started it, which `getrusage` includes.
    static var peak: Int {
        let line = text(of: "/proc/self/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        if let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) { return kibibytes << 10 }
        var usage = rusage()
        guard unsafe getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
        return Int(usage.ru_maxrss) << 10
    }

    private static func text(of path: String) -> String {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        return String(decoding: readAll(from: file, most: 1 << 14) ?? [], as: UTF8.self)
    }
}
