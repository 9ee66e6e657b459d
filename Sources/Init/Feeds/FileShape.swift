import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// What a file looks like: those that look alike are read by one source, whose pattern names them all.
struct FileShape {
    private let format: Source.Format
    private let encoding: String?
    private let delimiter: UInt8?
    private let hasHeader: Bool
    private let preamble: TableStart.Preamble?
    private let isList: Bool
    /// Whether nothing is in any of its lists, so that it may be of the shape of any file with the same members.
    let isEmpty: Bool
    /// The ways from the top to what is there, two members long at the most.
    private let paths: Set<[ShapeStep]>

    private static let mostSteps = 2
    private static let mostPaths = 10_000
    /// Of so few files, or of tables, each must have nearly the same. Of more of them some may lack what others have.
    private static let fewFiles = 4

    /// - Parameter feed: one that was observed.
    private init(_ feed: SurveyedFeed) {
        format = feed.form.format
        encoding = feed.form.encoding
        delimiter = feed.form.table.delimiter
        (hasHeader, preamble) = (feed.form.table.hasHeader, feed.form.table.preamble)
        isList = feed.tree[0].counts.arrays > 0
        isEmpty = FileShape.isEmpty(feed.tree)
        paths = FileShape.paths(in: feed.tree, feed.splits)
    }

    /// What files of this machine look like, nil where one holds something, and no objects by itself; none: they are
    /// elsewhere.
    static func all(_ files: [String], _ format: Source.Format?) throws(Failure) -> [FileShape?] {
        guard files.count > 1, files.allSatisfy(SurveyedBytes.isRegular) else { return [] }
        var shapes: [FileShape?] = []
        for (index, file) in files.enumerated() {
            guard try archiveMembers(file) == nil else {
                shapes.append(nil)
                continue
            }
            let feed = SurveyedFeed(
                file, in: FetchedArchives(RequestHeaders()), index: index, format: format,
                copies: FeedCopies(copiesPipes: true))
            try feed.observe()
            shapes.append(isOfObjects(feed.tree) || isEmpty(feed.tree) ? FileShape(feed) : nil)
        }
        return shapes
    }

    /// Whether all files look alike.
    static func areOne(_ shapes: [FileShape?]) -> Bool {
        let known = shapes.compactMap { $0 }
        let filled = known.filter { !$0.isEmpty }
        guard known.count == shapes.count, known.count > 1 else { return false }
        return areOne(known) || areOne(filled) && known.allSatisfy { $0.isPage(beside: filled) }
    }

    private static func areOne(_ shapes: [FileShape]) -> Bool {
        guard let first = shapes.first else { return false }
        return shapes.allSatisfy(first.isWritten(as:)) && (areAlike(shapes) || haveCore(shapes))
    }

    /// Whether it has nothing but what others have, and may hold what these do on another day.
    private func isPage(beside others: [FileShape]) -> Bool {
        guard isEmpty, let first = others.first, first.format == format else { return !isEmpty }
        return format != .json || isList == first.isList && others.contains { paths.isSubset(of: $0.paths) }
    }

    /// The indices of files that look alike, where not all do: several of each kind.
    static func groups(_ shapes: [FileShape?]) -> [[Int]] {
        var groups: [[Int]] = []
        for (index, shape) in shapes.enumerated() {
            guard let shape, !shape.isEmpty else { continue }
            let own = groups.firstIndex { group in shapes[group[0]].map(shape.isLike) ?? false }
            if let own { groups[own].append(index) } else { groups.append([index]) }
        }
        for (index, shape) in shapes.enumerated() where shape?.isEmpty == true {
            let own = groups.firstIndex { group in shape?.isPage(beside: group.compactMap { shapes[$0] }) ?? false }
            if let own { groups[own].append(index) }
        }
        return groups.map { $0.sorted() }.filter { $0.count >= FilePattern.leastFiles && areOne($0.map { shapes[$0] }) }
    }

    /// Whether two files have most of what they have in common.
    private func isLike(_ other: FileShape) -> Bool {
        let same = paths.intersection(other.paths).count
        return isWritten(as: other) && 2 * same >= paths.union(other.paths).count
    }

    /// Whether both are written in the same way.
    private func isWritten(as other: FileShape) -> Bool {
        format == other.format && encoding == other.encoding && delimiter == other.delimiter
            && hasHeader == other.hasHeader && preamble == other.preamble && isList == other.isList
    }

    /// What most of them have.
    private static func common(_ shapes: [FileShape]) -> Set<[ShapeStep]> {
        Set(counts(shapes).filter { $0.value * 2 > shapes.count }.keys)
    }

    /// How many of them have each path.
    private static func counts(_ shapes: [FileShape]) -> [[ShapeStep]: Int] {
        shapes.reduce(into: [:]) { counts, shape in for path in shape.paths { counts[path, default: 0] += 1 } }
    }

    /// Whether each has most of what most of them have, and little else; different things have names in common, too.
    private static func areAlike(_ shapes: [FileShape]) -> Bool {
        let common = common(shapes)
        let areFew = shapes.count <= fewFiles || shapes[0].format.isTable
        let least = areFew ? 0.75 : 0.5
        let all = shapes.reduce(into: Set<[ShapeStep]>()) { $0.formUnion($1.paths) }
        let mean = Double(shapes.reduce(0) { $0 + $1.paths.count }) / Double(shapes.count)
        return mean >= least * Double(all.count)
            && shapes.allSatisfy { shape in
                let (same, either) = (shape.paths.intersection(common), shape.paths.union(common))
                return !same.isEmpty && Double(same.count) >= least * Double(either.count)
            }
    }

    /// Whether nearly all of many files have the same members, which are half of what there is in each, on average:
    /// what some of them have besides, in which kind of them ever, says nothing against that.
    private static func haveCore(_ shapes: [FileShape]) -> Bool {
        guard shapes.count > fewFiles, !shapes[0].format.isTable else { return false }
        let core = Set(counts(shapes).filter { $0.value * 10 >= shapes.count * 9 }.keys)
        let all = shapes.reduce(0) { $0 + $1.paths.count }
        let own = shapes.map { $0.paths.intersection(core).count }
        // Of hundreds of files, one or another lacks more.
        let lacking = own.count { 4 * $0 < 3 * core.count }
        return core.count >= leastCore && 2 * core.count * shapes.count >= all && lacking * 100 <= shapes.count
            && own.allSatisfy { 2 * $0 >= core.count }
    }

    /// So many members are more than what different things are called by.
    private static let leastCore = 4

    /// Whether an object is at the top, or a list of objects.
    private static func isOfObjects(_ tree: ShapeTree) -> Bool {
        let top = tree[0]
        return top.counts.hasObjects
            || top.counts.hasLists && top.element >= 0 && tree[top.element].counts.objects > 0
    }

    /// Whether nothing is in a file, or nothing in its lists, such as a page or a day without records.
    private static func isEmpty(_ tree: ShapeTree) -> Bool {
        let places = (0..<Int32(tree.count)).filter { tree[$0].merged < 0 }.map { tree[$0] }
        let areFilled = places.contains { $0.step == .element && $0.counts.values > 0 }
        return !areFilled && (tree[0].counts.values == 0 || places.contains { $0.counts.arrays > 0 })
    }

    private static func paths(in tree: ShapeTree, _ splits: [ListSplit]) -> Set<[ShapeStep]> {
        var found: Set<[ShapeStep]> = []
        var open: [(node: Int32, steps: [ShapeStep])] = [(0, [])]
        while let (node, steps) = open.popLast(), found.count < mostPaths {
            if steps.last.map({ $0 != .element }) ?? false { found.insert(steps) }
            // The elements of a list are no step by themselves.
            let isFull = steps.count { $0 != .element } >= mostSteps
            if isFull { continue }
            let inner = tree.members(of: node) + [tree[node].element, tree[node].anyMember].filter { $0 >= 0 }
            // The levels of a tree lead back to those above.
            open += inner.filter { tree[$0].parent == node }.map { ($0, steps + [step(to: $0, tree)]) }
            // What is told apart by its kind stands at the same place.
            for split in splits where split.element == node { open += split.nodes.map { ($0, steps) } }
        }
        return found
    }

    /// A key that is data rather than a name, as a version is, is another one in each file.
    private static func step(to node: Int32, _ tree: ShapeTree) -> ShapeStep {
        if case .member(let name) = tree.step(to: node), DataKeys.isData(name) { return .anyMember }
        return tree.step(to: node)
    }
}
