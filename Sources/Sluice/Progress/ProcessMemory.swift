import Glibc
import Posix

/// The memory of this process, in bytes.
enum ProcessMemory {
    /// What it has now; 0 where the system does not tell.
    static var resident: Int {
        let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let text = readAll(from: file, most: 128) ?? []
        // The second number counts pages.
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }

    /// The most it had so far.
    static var peak: Int {
        var usage = rusage()
        guard unsafe getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
        return Int(usage.ru_maxrss) << 10
    }
}
