import SluiceFetch
import SluiceRecords

/// Counts the records that the pages of a feed list: those of the path with the fewest wildcards, or of several such
/// the one with the most. What is deeper in a page is not what a service counts.
struct PageCounts: Sendable {
    private let paths: [(entity: Int, number: Int)]
    /// By path: those of the first page, and those of all.
    private var first: [UInt64]?
    private var all: [UInt64]
    private var pages = 0
    /// What had been taken before the first page.
    private let before: [UInt64]
    /// The records of the last page that had any, and the fewest of a page that such a page followed.
    private(set) var last: UInt64 = 0
    private(set) var fewestFollowed: UInt64?
    /// The number of the last page that had any, from 0.
    private(set) var lastPage = 0

    /// - Parameter before: what was taken before the first page, by entity and path; empty: nothing.
    init(_ model: Model, source: Int, before: [[UInt64]] = []) {
        let paths = model.entities.indices.filter { model.entities[$0].sources.contains(source) }.flatMap { entity in
            model.entities[entity].records.indices.map { (entity: entity, number: $0) }
        }
        func width(_ path: (entity: Int, number: Int)) -> Int { model.entities[path.entity].records[path.number].width }
        let least = paths.map(width).min()
        self.paths = paths.filter { width($0) == least }
        all = self.paths.map { _ in 0 }
        self.before = self.paths.map { before.isEmpty ? 0 : before[$0.entity][$0.number] }
    }

    /// Notes the end of a page.
    ///
    /// - Parameter taken: what all pages so far have had, by entity and path.
    mutating func endPage(_ taken: [[UInt64]]) {
        let counts = zip(paths, before).map { path, before in taken[path.entity][path.number] - before }
        if counts != all {
            if last > 0 { fewestFollowed = min(fewestFollowed ?? last, last) }
            last = (counts.max() ?? 0) - records
            lastPage = pages
        }
        if first == nil { first = counts }
        all = counts
        pages += 1
    }

    var records: UInt64 { all.max() ?? 0 }
    var recordsOfFirstPage: UInt64 { first?.max() ?? 0 }
}

extension Path {
    /// How many of its steps may lead to several nodes.
    fileprivate var width: Int {
        steps.count { step in
            switch step {
            case .name, .index: false
            case .indexFromEnd, .filter, .wildcard, .descendantName, .descendantWildcard: true
            }
        }
    }
}
