import Glibc

/// The folder for what is of this machine only: the fingerprints of pipelines whose store is on a server, and tokens
/// that services gave.
///
/// It is the one that systemd gives a service (`STATE_DIRECTORY`), or that of the XDG Base Directory Specification:
/// `sluice` in `XDG_STATE_HOME`, or in `~/.local/state`.
package enum StateFolder {
    /// Nil where no variable of the environment says where it is.
    package static var path: String? {
        if let folder = environmentVariable("STATE_DIRECTORY")?.split(separator: ":").first, folder.hasPrefix("/") {
            return String(folder)
        }
        if let folder = environmentVariable("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder + "/sluice" }
        guard let home = environmentVariable("HOME"), home.hasPrefix("/") else { return nil }
        return home + "/.local/state/sluice"
    }

    /// Makes the folder, and those around it. Where that cannot be done, nothing is kept in it.
    package static func create(_ path: String) {
        for end in path.indices.dropFirst() where path[end] == "/" { _ = unsafe mkdir(String(path[..<end]), 0o700) }
        _ = unsafe mkdir(path, 0o700)
    }
}
