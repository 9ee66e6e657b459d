import Glibc
import SluiceRecords

extension Failure {
    /// That a file cannot be made, or written. Of a folder that does not exist, the system says only that some file or
    /// directory does not.
    ///
    /// - Parameters:
    ///   - sentence: what cannot be done.
    ///   - path: the file.
    ///   - code: what the system left in `errno`.
    package static func unwritable(_ sentence: String, _ path: String, errno code: CInt) -> Failure {
        if code == EACCES, let folder = closedFolder(of: path) {
            return Failure(
                .uncreatable,
                "\(sentence): \(Failure.reason(errno: code)): the user with the number \(geteuid()) may not write to the"
                    + " folder \(folder)")
        }
        guard code == ENOENT, let folder = missingFolder(of: path) else {
            return Failure(.uncreatable, sentence, errno: code)
        }
        return Failure(.uncreatable, "\(sentence): the folder \(folder) does not exist")
    }

    /// The same of a store.
    package static func unwritableStore(_ path: String, _ verb: String, errno code: CInt) -> Failure {
        unwritable("the store \(path) cannot be \(verb)", path, errno: code)
    }

    /// The folder of a file that is not there, where it is the folder that takes no new file.
    private static func closedFolder(of path: String) -> String? {
        let folder = FilePath.folder(path)
        return unsafe access(path, F_OK) != 0 && access(folder, F_OK) == 0 && access(folder, W_OK) != 0 ? folder : nil
    }

    /// The uppermost folder on the way to a file that is not there.
    private static func missingFolder(of path: String) -> String? {
        var (folder, missing): (String, String?) = (FilePath.folder(path), nil)
        while unsafe access(folder, F_OK) != 0, errno == ENOENT {
            missing = folder
            let next = FilePath.folder(folder)
            if next == folder || next == "." { break }
            folder = next
        }
        return missing
    }
}
