import SluicePosix
import SluiceRecords

/// Whether the names of the files of a pattern, without their folders, tell them apart: a definition knows the name of
/// a file (`$file`), and not its folder.
enum FileNames {
    /// Each file has a name of its own.
    case differ
    /// Some files have the name of another one.
    case repeated
    /// All files have one name.
    case same

    init(_ files: [String]) {
        let names = Set(files.map { ExactText(FilePath.name($0)) })
        self = names.count == files.count ? .differ : names.count == 1 ? .same : .repeated
    }

    /// The ending that the names of some files have in common, `.json`; empty: they have none, or a name is nothing
    /// else.
    static func ending(of files: [String]) -> String {
        guard files.count > 1, let dot = files[0].lastIndex(of: ".") else { return "" }
        let ending = files[0][dot...]
        let areAlike = files.allSatisfy { file in
            file.utf8.count > ending.utf8.count && file.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
                && !FilePath.name(file).utf8.elementsEqual(ending.utf8)
        }
        return areAlike && !ending.contains("/") ? String(ending) : ""
    }

    /// What is told of records that the names of their files do not tell apart; nil: the names do.
    var remark: String? {
        let what = "tells records apart in each folder only, and nothing in a definition names the folder of a file"
        let advice = "give each folder a source of its own, or the records a value that says where they are from"
        return switch self {
        case .differ: nil
        case .repeated: "some files have the same name, and so the identifier \(what): \(advice)"
        case .same: "all files have one name, and so the identifier \(what): \(advice)"
        }
    }
}
