import SluiceRecords

/// A list whose positions have a meaning each: `["S1", 3]` among others like it, or a header and the list that it is
/// about.
struct PositionalList {
    private static let most = 32

    /// The way to the list.
    let steps: [ShapeStep]
    /// Whether the first of such lists may say what the positions of the others are: `["id", "lines"]`.
    private(set) var hasHeader: Bool

    /// Those that are in a tree, and were not told apart yet.
    static func candidates(in tree: ShapeTree, isSequence: Bool) -> [PositionalList] {
        var found: [PositionalList] = []
        for node in 0..<Int32(tree.count) where found.count < most {
            let place = tree[node]
            guard place.positions.log >= 0, place.merged < 0, node == 0 || place.parent >= 0, place.counts.objects == 0
            else { continue }
            let log = tree.positionLogs[Int(place.positions.log)]
            // The values of a sequence are there once, too, but have no index.
            let isTop = node == 0 ? isSequence : tree.isSingleInDocument(place.parent)
            let areRecords =
                log.areRecords(isTop: isTop)
                || node > 0 && isTop && log.areNumbers && TitleLog.mayName(log.width, in: tree)
            guard node == 0 && !isSequence ? log.hasParts : areRecords else { continue }
            let steps = tree.steps(to: node)
            // What is above comes first.
            if found.contains(where: { steps.starts(with: $0.steps) }) { continue }
            found.append(PositionalList(steps: steps, hasHeader: isTop && node > 0 && log.mayHaveHeader))
        }
        return found
    }

    /// Lets the first list be one as the others, unless it differs from them: what stands at a position must be what no
    /// name is.
    ///
    /// - Returns: whether that changed.
    mutating func settleHeader(_ observer: ShapeObserver) -> Bool {
        guard hasHeader else { return false }
        let tree = observer.tree
        let lists = (0..<Int32(tree.count)).lazy.filter { tree[$0].positions.hasHeader && tree[$0].merged < 0 }
        guard let list = lists.first(where: { tree.steps(to: $0) == steps }),
            let titles = observer.titles?.header(of: list)
        else {
            hasHeader = false
            return true
        }
        let areNames = Set(titles).count == titles.count
        let differs = tree.members(of: list).contains { member in
            guard let position = tree.position(of: member), position < titles.count else { return false }
            return PositionalList.isNoName(tree[member], tree.factsOf(member), titles[position])
        }
        hasHeader = areNames && differs
        return !hasHeader
    }

    private static func isNoName(_ place: ShapeNode, _ facts: ValueFacts?, _ title: String) -> Bool {
        if place.counts.texts == 0 { return place.counts.numbers + place.counts.booleans > 0 }
        let forms = TextForms.moments.union([.number, .plainDate])
        guard let facts, !facts.forms.isDisjoint(with: forms) else { return false }
        var (text, fraction) = (title, 0)
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return false }
            let own = unsafe TextForms.of(base, bytes.count, fraction: &fraction)
            return facts.forms.intersection(forms).isDisjoint(with: own)
        }
    }
}
