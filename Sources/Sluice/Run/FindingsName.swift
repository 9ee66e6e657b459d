import Glibc
import SluicePosix
import SluiceRecords
import SluiceReport

/// The name of the file of findings as it is written, in which `{date}` and `{time}` stand for when the run began, in
/// UTC: each run has a file of its own then. The number of a run is known at its end only, and one that fails before
/// it begins has none.
struct FindingsName {
    let written: String

    /// `findings/2026-11-20T020000.ndjson` of `findings/{date}T{time}.ndjson`.
    func name(at started: Timestamp) -> String {
        let text = started.text
        return written.replacingExactly("{date}", with: String(text.prefix(10)))
            .replacingExactly("{time}", with: text.dropFirst(11).prefix(8).filter { $0 != ":" })
    }

    /// What is wrong with it; nil: nothing.
    var mistake: String? {
        guard let word = written.firstMatch(of: /\{(?!(?:date|time)\})[A-Za-z]+\}/)?.output else { return nil }
        return "the findings \(written): a name has {date} and {time}, when the run begins, and no \(word)"
    }
    /// Makes the folder of a file of findings that is not there, as that of the archive, but not what encloses it.
    static func makeFolder(of path: String) throws(Failure) {
        let folder = FilePath.folder(path)
        var status = stat()
        guard path != "-", unsafe stat(folder, &status) != 0, errno == ENOENT else { return }
        // Where what encloses it is missing, who writes the file says so.
        guard unsafe mkdir(folder, 0o750) != 0, ![EEXIST, ENOENT].contains(errno) else { return }
        throw .unwritable("the folder \(folder) of the findings cannot be created", folder, errno: errno)
    }
}
