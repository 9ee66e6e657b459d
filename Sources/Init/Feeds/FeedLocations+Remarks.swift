import SluiceDefinition
import SluiceRecords

// What comments tell of patterns, and of files that are no feeds.
extension FeedLocations {
    /// A sentence for each.
    var remarks: [String] {
        all.compactMap { location in
            files(of: location).map { FeedLocations.remark(location, $0, emptyFiles(of: location)) }
        }
            + odd.map { pattern, files in FeedLocations.remark(odd: files, of: pattern) }
            + namedArchives.map { FeedLocations.remark($0.pattern, [$0.archive]) }.sorted()
            + others.map { archive, members in "Of \(archive), these are no feeds: \(listed(members))." }
    }

    private static let mostNamed = 20

    private static func named(_ files: [String]) -> String {
        let shown = files.prefix(mostNamed)
        return listed(shown + (files.count > shown.count ? ["\(grouped(files.count - shown.count)) more"] : []))
    }

    private static func remark(odd files: [String], of pattern: String) -> String {
        let what =
            files.count == 1 ? "is of another shape, and a source of its" : "are of other shapes, and sources of their"
        return "Of \(pattern), \(named(files)) \(what) own: leave out what is no feed."
    }

    private static func remark(_ pattern: String, _ files: [String], _ empty: [String] = []) -> String {
        var what =
            files.count == 1
            ? "The pattern \(pattern) matches one file today: \(files[0])."
            : "The \(grouped(files.count)) files of \(pattern) are of one shape, and one source."
        if !empty.isEmpty { what += " \(named(empty)) \(empty.count == 1 ? "holds" : "hold") no records today." }
        return FilePattern.isOfNights(files) ? "\(what) \(FilePattern.adviceForNights)" : what
    }
}
