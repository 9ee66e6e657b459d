import SluiceExtract
import SluicePosix
import SluiceRecords

// A pattern for some of the files that another one names.
extension FilePattern {
    /// How much of what names have in common stands in a pattern.
    private enum Extent {
        case nothing
        /// What they begin and end with, but no digits of a number in which they differ: a day is followed by those of
        /// the next month.
        case words
        case all
    }

    /// A pattern that names just some files, which are in folders of one depth; nil: there is none that is simple.
    static func naming(_ files: [String]) throws(Failure) -> String? {
        let paths = files.map { $0.split(separator: "/", omittingEmptySubsequences: false).map(String.init) }
        guard let first = paths.first, paths.allSatisfy({ $0.count == first.count }),
            !files.contains(where: PathPattern.isPattern)
        else { return nil }
        let steps = first.indices.map { index in paths.map { $0[index] } }
        // The widest first, as more files may come.
        let extents: [(folders: Extent, names: Extent)] = [
            (.nothing, .nothing), (.nothing, .words), (.words, .nothing), (.words, .words), (.nothing, .all),
            (.all, .nothing), (.all, .all),
        ]
        for extent in extents {
            let folders = steps.dropLast().map { common($0, extent.folders) }
            let name = common(steps[steps.count - 1], extent.names, isFile: true)
            let pattern = (folders + [name]).joined(separator: "/")
            guard PathPattern.isPattern(pattern) else { continue }
            if try Set(matchingFiles(pattern, ArchiveLists())) == Set(files) { return pattern }
        }
        return nil
    }

    /// What some names have in common, as a pattern: of files the ending at least.
    private static func common(_ names: [String], _ extent: Extent, isFile: Bool = false) -> String {
        let texts = names.map { Array($0.unicodeScalars) }
        guard let first = texts.first, texts.contains(where: { $0 != first }) else { return names[0] }
        let least = texts.map(\.count).min() ?? 0
        let head = extent == .nothing ? 0 : (0..<least).prefix { at in texts.allSatisfy { $0[at] == first[at] } }.count
        let tail = (0..<least - head).prefix { at in
            texts.allSatisfy { $0[$0.count - 1 - at] == first[first.count - 1 - at] }
        }.count
        var (beginning, ending) = (first.prefix(head), first.suffix(tail))
        switch extent {
        case .nothing: ending = isFile ? ending.suffix(from: ending.lastIndex(of: ".") ?? ending.endIndex) : []
        case .words:
            while let last = beginning.last, isDigit(last) { beginning.removeLast() }
            ending = ending.drop(while: isDigit)
        case .all: break
        }
        return text(beginning) + "*" + text(ending)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }
}
