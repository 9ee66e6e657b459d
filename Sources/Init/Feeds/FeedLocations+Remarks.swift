import SluiceDefinition
import SluiceRecords

// What comments tell of patterns, and of files that are no feeds.
extension FeedLocations {
    /// A sentence for each.
    var remarks: [String] {
        all.compactMap { location in files(of: location).map { FeedLocations.remark(location, $0) } }
            + odd.map { pattern, files in FeedLocations.remark(odd: files, of: pattern) }
            + namedArchives.map { FeedLocations.remark($0.pattern, [$0.archive]) }.sorted()
            + others.map { archive, members in "Of \(archive), these are no feeds: \(listed(members))." }
    }

    private static let mostNamed = 20

    private static func remark(odd files: [String], of pattern: String) -> String {
        let shown = files.prefix(mostNamed)
        let more = files.count > shown.count ? ["\(grouped(files.count - shown.count)) more"] : []
        let what =
            files.count == 1 ? "is of another shape, and a source of its" : "are of other shapes, and sources of their"
        return "Of \(pattern), \(listed(shown + more)) \(what) own: leave out what is no feed."
    }

    private static func remark(_ pattern: String, _ files: [String]) -> String {
        let what =
            files.count == 1
            ? "The pattern \(pattern) matches one file today: \(files[0])."
            : "The \(grouped(files.count)) files of \(pattern) are of one shape, and one source."
        return FilePattern.isOfNights(files) ? "\(what) \(FilePattern.adviceForNights)" : what
    }
}
