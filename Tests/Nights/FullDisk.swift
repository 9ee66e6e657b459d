import Glibc

/// A disk on which no file grows beyond some bytes: a write that would make it fails.
enum FullDisk {
    static func with<Value>(bytes: UInt64, _ body: () throws -> Value) rethrows -> Value {
        let file = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limit = rlimit()
        _ = unsafe getrlimit(file, &limit)
        // Otherwise the process dies of it.
        let handler = signal(SIGXFSZ, SIG_IGN)
        defer {
            _ = unsafe setrlimit(file, &limit)
            _ = signal(SIGXFSZ, handler)
        }
        var full = rlimit(rlim_cur: rlim_t(bytes), rlim_max: limit.rlim_max)
        _ = unsafe setrlimit(file, &full)
        return try body()
    }
}
