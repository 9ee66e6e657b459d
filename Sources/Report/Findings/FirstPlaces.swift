import SluiceExtract
import SluiceRecords

extension [Finding] {
    /// Gives the first copies of duplicates their lines.
    mutating func placeFirsts(_ copies: FeedCopies) {
        let wanted = indices.filter { self[$0].first != nil }
        let places = LinePlaces(copies).find(wanted.compactMap { self[$0].first?.position })
        for (index, place) in zip(wanted, places) {
            self[index].first?.line = place?.line
            self[index].first?.column = place?.column
        }
    }
}
