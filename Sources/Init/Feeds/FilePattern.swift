import SluiceExtract
import SluicePosix
import SluiceRecords

/// Patterns of files, and files that were named one by one.
enum FilePattern {
    /// So many files, and all that a folder has of their kind, were hardly meant one by one.
    static let leastFiles = 3

    /// What was given, with the patterns that name just these files in their places, as a shell that expanded a pattern
    /// has not said it: all of a folder that have one ending, or all whose names begin alike, `books-*.json`.
    static func folded(_ given: [String]) throws(Failure) -> [String] {
        guard given.count >= leastFiles, Set(given.map { ExactText($0) }).count == given.count else { return given }
        let isWhole = given.allSatisfy { pattern($0) == pattern(given[0]) && SurveyedBytes.isRegular($0) }
        if isWhole, let pattern = pattern(given[0]), try areFiles(given, of: pattern) { return [pattern] }
        var patterns: [ExactText: String] = [:]
        for files in Dictionary(grouping: given, by: beginning).values where files.count >= leastFiles {
            guard files.allSatisfy({ pattern($0) != nil && SurveyedBytes.isRegular($0) }),
                let pattern = try naming(files)
            else { continue }
            for file in files { patterns[ExactText(file)] = pattern }
        }
        var known: Set<ExactText> = []
        return given.map { patterns[ExactText($0)] ?? $0 }.filter { known.insert(ExactText($0)).inserted }
    }

    private static func areFiles(_ given: [String], of pattern: String) throws(Failure) -> Bool {
        try Set(expandGlob(pattern).map { ExactText($0) }) == Set(given.map { ExactText($0) })
    }

    /// The beginning of a file's path, up to what tells it from others of its kind, and its ending.
    private static func beginning(of file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let ending = name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
        let head = name.dropLast(ending.count).prefix { !$0.isNumber && $0 != "-" && $0 != "_" && $0 != "." }
        return file.dropLast(name.count) + head + "\0" + ending
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
