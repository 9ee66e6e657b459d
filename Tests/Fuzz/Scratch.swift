import Foundation

/// A folder for what the harnesses write. It goes with the process.
enum Scratch {
    static let folder: String = {
        let path = NSTemporaryDirectory() + "/sluice-fuzz-\(getpid())"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: Scratch.folder) }
        return path
    }()

    /// Writes a file, and returns its path.
    static func write(_ name: String, _ bytes: some DataProtocol) -> String {
        let path = folder + "/" + name
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        return path
    }

    static func remove(_ names: String...) {
        for name in names { _ = unsafe unlink(folder + "/" + name) }
    }
}
