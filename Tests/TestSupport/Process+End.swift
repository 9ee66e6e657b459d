import Foundation
import Glibc

extension Process {
    /// Waits until the process has ended, and not longer: `waitUntilExit` looks twenty times a second on most threads.
    package func waitForEnd() {
        var information = unsafe siginfo_t()
        // It stays for Foundation to collect; where that has happened, nobody is to be waited for.
        while unsafe waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        while isRunning { usleep(100) }
        // Returns at once, and takes the process out of the thread's loop, which would keep it, and its files open.
        waitUntilExit()
    }
}
