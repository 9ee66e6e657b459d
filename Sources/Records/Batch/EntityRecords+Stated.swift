extension EntityRecords {
    /// Whether a typed row says something of each of some attributes, be it that it is null.
    package func states(_ attributes: [Int], _ row: Int) -> Bool {
        let (typed, start) = (typed, row * width)
        return attributes.allSatisfy { typed[start + $0].kind != .absent }
    }
}
