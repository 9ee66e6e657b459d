import SluiceExtract
import SluicePosix
import SluiceRecords

// A pattern for some of the files that another one names.
extension FilePattern {
    /// A pattern that names just some files, which are in folders of one depth; nil: there is none that is simple.
    static func naming(_ files: [String]) throws(Failure) -> String? {
        let paths = files.map { $0.split(separator: "/", omittingEmptySubsequences: false).map(String.init) }
        guard let first = paths.first, paths.allSatisfy({ $0.count == first.count }),
            !files.contains(where: PathPattern.isPattern)
        else { return nil }
        let steps = first.indices.map { index in paths.map { $0[index] } }
        // The widest first, as more files may come.
        for (areFoldersAlike, areNamesAlike) in [(false, false), (false, true), (true, false), (true, true)] {
            let folders = steps.dropLast().map { common($0, isNarrow: areFoldersAlike) }
            let name = common(steps[steps.count - 1], isNarrow: areNamesAlike, isFile: true)
            let pattern = (folders + [name]).joined(separator: "/")
            guard PathPattern.isPattern(pattern) else { continue }
            if try Set(matchingFiles(pattern, ArchiveLists())) == Set(files) { return pattern }
        }
        return nil
    }

    /// What some names have in common, as a pattern: of files the ending at least.
    ///
    /// - Parameter isNarrow: whether they have all that they begin and end with.
    private static func common(_ names: [String], isNarrow: Bool, isFile: Bool = false) -> String {
        let texts = names.map { Array($0.unicodeScalars) }
        guard let first = texts.first, texts.contains(where: { $0 != first }) else { return names[0] }
        let least = texts.map(\.count).min() ?? 0
        let head = isNarrow ? (0..<least).prefix { at in texts.allSatisfy { $0[at] == first[at] } }.count : 0
        let tail = (0..<least - head).prefix { at in
            texts.allSatisfy { $0[$0.count - 1 - at] == first[first.count - 1 - at] }
        }.count
        var ending = Array(first.suffix(tail))
        if !isNarrow {
            ending = isFile ? Array(ending.suffix(ending.count - (ending.lastIndex(of: ".") ?? ending.count))) : []
        }
        return text(first.prefix(head)) + "*" + text(ending[...])
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }
}
