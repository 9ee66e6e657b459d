import SluiceDefinition
import SluiceFetch
import SluiceRecords

extension PipelineDefinition {
    /// The members at the top of a source's documents that others look at than the paths of its own records: what says
    /// where the next page is, or what columns are called, and the records of other sources with the same feed.
    func listsUsed(besidesRecordsOf source: Int) -> Set<ExactText> {
        let own = sources[source]
        var paths = own.columns.map(\.path) + (own.location.paging?.paths ?? [])
        for entity in model.entities
        where entity.sources.contains(where: { $0 != source && sources[$0].location == own.location }) {
            paths += entity.records
        }
        return Set(
            paths.compactMap { path in
                if case .name(let name)? = path.steps.first { ExactText(name) } else { nil }
            })
    }
}

extension Source.Location {
    fileprivate var paging: Paging? { if case .web(let service) = self { service.request.pages } else { nil } }
}

extension Paging {
    /// Where pages say how the feed goes on.
    fileprivate var paths: [Path] {
        switch style {
        case .next(let path), .cursor(let path, _): [path, total, more].compactMap(\.self)
        case .link, .number, .offset: [total, more].compactMap(\.self)
        }
    }
}
