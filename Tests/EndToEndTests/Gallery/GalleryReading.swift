/// What is in the tables of a store, by names of tables and columns. References are the identifiers of their targets,
/// whose parts have a slash between them; null is nil, or left out.
typealias GalleryTables = [String: [[String: String?]]]

/// The naive reading of each sample in the gallery: what its store must hold.
enum GalleryReading {
    static let all: [String: @Sendable () throws -> GalleryTables] = [
        "attack": attack, "calendar": calendar, "crates": crates, "earthquakes": earthquakes, "endoflife": endoflife,
        "fhir": fhir, "gbif": gbif, "github-graphql": githubGraphQL, "github-issues": githubIssues, "gtfs": gtfs,
        "gtfs-realtime": gtfsRealtime, "helpdesk": helpdesk, "musicbrainz": musicbrainz, "npm": npm,
        "openalex": openalex, "openapi": openapi, "overpass": overpass, "sdmx": sdmx, "shop": shop, "spdx": spdx,
        "wikidata": wikidata,
    ]

    /// One row for each value of a column, the last or the first that has it.
    static func unique(
        _ rows: [[String: String?]], by key: String = "id", first: Bool = false
    ) -> [[String: String?]] {
        let pairs = rows.compactMap { row in (row[key] ?? nil).map { ($0, row) } }
        return Array(Dictionary(pairs) { first ? $0 : $1 }.values)
    }

    /// The rows of a table of links; targets that are not there have none.
    static func links(
        _ source: String?, _ targets: [String?], among known: [String]? = nil,
        with values: (Int) -> [String: String?] = { _ in [:] }
    ) -> [[String: String?]] {
        var seen: Set<String> = []
        var rows: [[String: String?]] = []
        for (index, target) in targets.enumerated() {
            guard let target, seen.insert(target).inserted, known?.contains(target) ?? true else { continue }
            rows.append(
                ["source": source, "target": target, "position": "\(seen.count - 1)"].merging(values(index)) { $1 })
        }
        return rows
    }
}
