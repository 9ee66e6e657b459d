import Glibc
import SluiceLoad
import SluicePosix

extension StoreStamp {
    /// The stamp of a file, which is the same as long as no program writes to it: where the file is, its size, when it
    /// was changed, and since when the machine runs.
    ///
    /// Nil where there is no such file; where it was changed just now, so that the next change might be of the same
    /// tick of the clock; and where it is not known since when the machine runs. When the machine loses its power, the
    /// written bytes may be there without the time of the change (`fdatasync` leaves that to the system).
    init?(file path: String) {
        guard let boot = StoreStamp.boot, let status = StoreStamp.settled(path) else { return nil }
        self.init([
            UInt64(status.st_dev), UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)), UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
            UInt64(bitPattern: Int64(status.st_ctim.tv_sec)), UInt64(bitPattern: Int64(status.st_ctim.tv_nsec)), boot,
        ])
    }

    /// How often a file is looked at before the stamp is given up, and the microseconds between two looks: some ticks.
    private static let (looks, pause): (Int, UInt32) = (12, 2000)

    /// The state of a file, once the clock that dates its changes has gone on.
    private static func settled(_ path: String) -> stat? {
        for _ in 0..<looks {
            var (status, now) = (stat(), timespec())
            guard unsafe clock_gettime(CLOCK_REALTIME_COARSE, &now) == 0, unsafe stat(path, &status) == 0 else {
                return nil
            }
            if isEarlier(status.st_mtim, now), isEarlier(status.st_ctim, now) { return status }
            usleep(pause)
        }
        return nil
    }

    private static func isEarlier(_ time: timespec, _ now: timespec) -> Bool {
        (time.tv_sec, time.tv_nsec) < (now.tv_sec, now.tv_nsec)
    }

    /// A number that is another one each time the machine starts.
    private static let boot: UInt64? = {
        let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let text = readAll(from: descriptor, most: 64), text.count >= 32 else { return nil }
        return number(of: text)
    }()
}
