import Glibc
import SluiceDefinition
import SluicePosix
import SluiceRecords
import SluiceReport

/// A file of metrics, for the textfile collector of node_exporter: replaced at once, so that no reader sees a part of
/// it.
package struct MetricsFile: Sendable {
    private let path: String
    /// The file that holds the metrics until it takes the file's name; only this process uses it.
    private let newPath: String

    /// Throws `uncreatable` where no such file can be made.
    package init(_ path: String) throws(Failure) {
        // Of a link, what it leads to is replaced.
        self.path = StorePath.real(path)
        newPath = "\(self.path).\(getpid()).sluice-new"
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure(.uncreatable, "the metrics \(path) cannot be written: it is not a file")
        }
        guard unsafe access(FilePath.folder(self.path), W_OK) == 0 else { throw uncreatable }
    }

    /// Whether there are metrics of an earlier run.
    package var isThere: Bool { earlier.hasPrefix("# HELP sluice_") }

    /// Writes the metrics of a run in place of those of the run before.
    package func write(_ report: RunReport, exitStatus: Int32) throws(Failure) {
        try write(report.metrics(exitStatus: exitStatus, earlier: earlier))
    }

    /// Writes those of a run that could not begin.
    ///
    /// - Parameter definition: its file.
    package func writeUnbegun(_ definition: String, exitStatus: Int32) throws(Failure) {
        // Whether the file is the store, or the definition, was not looked at: such a one is never replaced.
        let earlier = earlier
        guard unsafe earlier.hasPrefix("# HELP sluice_") || access(path, F_OK) != 0 else { return }
        let name = PipelineDefinition.writtenName(ofFile: definition)
        try write(Metrics.unbegun(name, at: .now, exitStatus: exitStatus, earlier: earlier))
    }

    private func write(_ text: String) throws(Failure) {
        // A file that an earlier process of this number has left, or another user has put there, is removed, not
        // written to.
        _ = unsafe unlink(newPath)
        let descriptor = unsafe open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw uncreatable }
        defer { close(descriptor) }
        // After a power cut there must not be an empty file.
        guard writeAll(text, to: descriptor), fsync(descriptor) == 0, unsafe rename(newPath, path) == 0 else {
            throw abandoned()
        }
    }

    private var earlier: String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(decoding: readAll(from: descriptor, most: 16 << 20) ?? [], as: UTF8.self)
    }

    private func abandoned() -> Failure {
        let failure = failure(.io)
        _ = unsafe unlink(newPath)
        return failure
    }

    private var uncreatable: Failure {
        .unwritable("the metrics \(path) cannot be written", path, errno: errno)
    }

    private func failure(_ kind: Failure.Kind) -> Failure {
        Failure(kind, "the metrics \(path) cannot be written", errno: errno)
    }
}
