/// A file of a source, as it is read.
typealias TestFeed = (source: Int, values: [FeedNode])

// Which objects of a feed nobody knows to be absent.
extension TestExtraction {
    /// The entities of which the feeds may have records that nobody sees.
    func hidden(in feeds: [TestFeed]) -> Set<Int> {
        let odd = definition.sources.indices.filter { source in isOdd(source, feeds.filter { $0.source == source }) }
        let ofOdd = definition.entities.indices.filter { !Set(odd).isDisjoint(with: definition.entities[$0].sources) }
        return Set(feeds.flatMap { hidden(in: $0.values, of: $0.source) } + ofOdd)
    }

    /// Whether one of the documents of a source has nothing of what leads to records, and others may have some.
    private func isOdd(_ source: Int, _ files: [TestFeed]) -> Bool {
        let own = definition.sources[source]
        guard own.service == nil, !own.isLines, own.delimiter == nil, files.count > 1 else { return false }
        let entities = definition.entities.indices.filter { definition.entities[$0].sources.contains(source) }
        var isList: Bool?
        for file in files {
            guard let root = file.values.first else { continue }
            if entities.contains(where: { !places(of: $0, in: file.values).isEmpty }) {
                isList = isList ?? root.isList
            } else if isList.map({ $0 != root.isList }) ?? false || isBare(root, entities) {
                return true
            }
        }
        return false
    }

    /// Whether nothing stands where the paths of records begin to match several values.
    private func isBare(_ root: FeedNode, _ entities: [Int]) -> Bool {
        entities.flatMap { definition.entities[$0].records }.allSatisfy { path in
            let place = path.steps.prefix { step in
                switch step {
                case .name, .index: true
                default: false
                }
            }
            return place.isEmpty ? !root.isContainer : TestPath.follow(place, from: root, .all).isEmpty
        }
    }
}

extension FeedNode {
    fileprivate var isList: Bool { if case .array = kind { true } else { false } }

    fileprivate var isContainer: Bool {
        switch kind {
        case .array, .object: true
        case .null, .boolean, .number, .string: false
        }
    }
}
