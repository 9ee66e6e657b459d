import SluiceRecords

/// Paths from the top of a feed, however they were written: `^^^.ref.no` is `$.orders[*].ref.no` to what looks at the
/// lines of orders.
struct KnownPaths {
    private let records: [Path]
    private(set) var all: Set<Path> = []

    /// - Parameter records: the paths of the records from which bare paths start.
    init(_ records: [Path]) { self.records = records }

    mutating func add(_ path: Path) { all.formUnion(KnownPaths.absolute(path, records)) }

    /// Takes in what paths that start elsewhere lead to.
    mutating func add(_ others: KnownPaths) { all.formUnion(others.all) }

    /// Whether one of these leads to what a path leads to, or to the elements of that.
    func contains(_ path: Path) -> Bool {
        KnownPaths.absolute(path, records).contains { own in
            all.contains(own) || all.contains(Path(root: own.root, steps: own.steps + [.wildcard], isKey: own.isKey))
        }
    }

    /// Whether what a path leads to is in what one of these leads to.
    func contain(inner path: Path) -> Bool {
        KnownPaths.absolute(path, records).contains { own in
            all.contains { $0.root == own.root && own.steps.starts(with: $0.steps) }
        }
    }

    private static func absolute(_ path: Path, _ records: [Path]) -> [Path] {
        guard path.root == .record else { return [path] }
        let around = records.filter { $0.steps.count >= path.parents }
        let paths = around.map { record in
            Path(root: .feed, steps: record.steps.dropLast(path.parents) + path.steps, isKey: path.isKey)
        }
        // Of what nobody knows where it begins, the text has to do.
        return paths.isEmpty ? [path] : paths
    }
}
