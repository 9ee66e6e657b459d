import SluiceExtract
import SluicePosix
import SluiceRecords

/// Patterns of files, and files that were named one by one.
enum FilePattern {
    /// So many files, and all that a folder has of their kind, were hardly meant one by one.
    static let leastFiles = 3

    /// What was given, or the pattern that names just these files, as a shell that expanded it has not said it.
    static func folded(_ given: [String]) throws(Failure) -> [String] {
        guard given.count >= leastFiles, Set(given).count == given.count, let pattern = pattern(given[0]),
            given.allSatisfy({ FilePattern.pattern($0) == pattern && SurveyedBytes.isRegular($0) })
        else { return given }
        return try Set(expandGlob(pattern)) == Set(given) ? [pattern] : given
    }

    /// The pattern of all files with the same ending beside a file; nil: its name has none.
    private static func pattern(_ file: String) -> String? {
        let name = file.split(separator: "/").last ?? ""
        guard !FeedLocations.isElsewhere(file), !PathPattern.isPattern(file), let dot = name.lastIndex(of: "."),
            dot > name.startIndex
        else { return nil }
        return String(file.dropLast(name.count)) + "*" + name[dot...]
    }
}
