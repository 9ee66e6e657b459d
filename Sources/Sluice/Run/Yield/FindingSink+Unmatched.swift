import SluiceRecords

extension FindingSink {
    /// Reports what finds nothing in a source, of no entity.
    ///
    /// - Parameter found: what there is instead; nil: that is not told.
    func report(
        _ reason: Finding.Unmatched, path: String, at place: FeedPosition, found: String? = nil
    ) {
        report(.unmatched, at: place.position) {
            var finding = Finding(
                entity: nil, identifier: "null", detail: .unmatched(reason, path: path), at: place)
            finding.found = found
            return finding
        }
    }
}
