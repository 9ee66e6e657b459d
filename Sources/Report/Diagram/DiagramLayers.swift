/// Which boxes stand beside each other, and in which order: what refers stands left of what it refers to.
///
/// A line that leads over several layers has a place of its own in each between, so that it crosses no box.
struct DiagramLayers {
    /// A box, or the place of a line.
    enum Item: Hashable {
        case box(Int)
        case line(Int, layer: Int)
    }

    /// A reference from a box to another; several between two boxes are several lines.
    struct Line {
        var source: Int
        var target: Int
        /// Whether it leads to the left, against all others: it closes a circle.
        var isBack = false
    }

    private(set) var lines: [Line]
    private(set) var layers: [[Item]] = []
    /// By item: those of the next layer to which a line leads.
    private(set) var following: [Item: [Item]] = [:]
    /// The other way round.
    private(set) var preceding: [Item: [Item]] = [:]
    private var layerOfBox: [Int]

    /// - Parameter lines: without those from a box to itself.
    init(boxes: Int, lines: [(source: Int, target: Int)]) {
        self.lines = lines.map { Line(source: $0.source, target: $0.target) }
        layerOfBox = Array(repeating: 0, count: boxes)
        turnCircles()
        assignLayers()
        placeItems()
        order()
    }

    /// The items that a line leads over, from the left to the right.
    func course(of line: Int) -> [Item] {
        let (left, right) = ends(of: line)
        let between = layerOfBox[left] + 1..<layerOfBox[right]
        return [.box(left)] + between.map { .line(line, layer: $0) } + [.box(right)]
    }

    /// The box on the left, and that on the right.
    private func ends(of line: Int) -> (Int, Int) {
        let line = lines[line]
        return line.isBack ? (line.target, line.source) : (line.source, line.target)
    }

    // MARK: Layers

    /// Finds the lines that lead back to where one comes from.
    private mutating func turnCircles() {
        enum State { case new, open, done }
        var states = Array(repeating: State.new, count: layerOfBox.count)
        let leaving = Dictionary(grouping: lines.indices, by: { lines[$0].source })
        for start in layerOfBox.indices where states[start] == .new {
            var path: [(box: Int, next: Int)] = [(start, 0)]
            states[start] = .open
            while let (box, next) = path.last {
                guard let leaving = leaving[box], next < leaving.count else {
                    states[box] = .done
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let target = lines[leaving[next]].target
                switch states[target] {
                case .open: lines[leaving[next]].isBack = true
                case .new:
                    states[target] = .open
                    path.append((target, 0))
                case .done: break
                }
            }
        }
    }

    /// As far left as the lines let it, but for what nothing leads to: that stands just left of what it leads to.
    private mutating func assignLayers() {
        let ends = lines.indices.map(ends)
        // No way is longer than there are boxes.
        for _ in layerOfBox.indices {
            var isDone = true
            for (left, right) in ends where layerOfBox[right] <= layerOfBox[left] {
                layerOfBox[right] = layerOfBox[left] + 1
                isDone = false
            }
            if isDone { break }
        }
        for box in layerOfBox.indices where !ends.contains(where: { $0.1 == box }) {
            if let nearest = ends.filter({ $0.0 == box }).map({ layerOfBox[$0.1] }).min() {
                layerOfBox[box] = nearest - 1
            }
        }
    }

    private mutating func placeItems() {
        layers = Array(repeating: [], count: (layerOfBox.max() ?? -1) + 1)
        let related = Set(lines.flatMap { [$0.source, $0.target] })
        for box in layerOfBox.indices where related.contains(box) { layers[layerOfBox[box]].append(.box(box)) }
        for line in lines.indices {
            let course = course(of: line)
            for (one, other) in zip(course, course.dropFirst()) {
                following[one, default: []].append(other)
                preceding[other, default: []].append(one)
                if case .line(_, let layer) = other { layers[layer].append(other) }
            }
        }
        // What has no lines fills the layers that hold little.
        for box in layerOfBox.indices where !related.contains(box) {
            let emptiest = layers.indices.min { layers[$0].count < layers[$1].count } ?? 0
            layers[emptiest].append(.box(box))
        }
    }

    // MARK: Order

    /// Each item goes to the middle of what it leads to, or comes from, time and again; the order with the fewest
    /// crossings counts.
    private mutating func order() {
        var (best, fewest) = (layers, crossings)
        for sweep in 0..<12 where fewest > 0 {
            let isForward = sweep.isMultiple(of: 2)
            let indices = isForward ? Array(layers.indices.dropFirst()) : layers.indices.dropLast().reversed()
            for index in indices {
                sort(index, by: isForward ? index - 1 : index + 1, isForward ? preceding : following)
            }
            let now = crossings
            if now < fewest { (best, fewest) = (layers, now) }
        }
        layers = best
    }

    private mutating func sort(_ index: Int, by fixed: Int, _ neighbours: [Item: [Item]]) {
        let places = Dictionary(uniqueKeysWithValues: layers[fixed].enumerated().map { ($1, Double($0)) })
        let middles = layers[index].enumerated().map { position, item -> (Item, Double, Int) in
            let found = (neighbours[item] ?? []).compactMap { places[$0] }
            let middle = found.isEmpty ? Double(position) : found.reduce(0, +) / Double(found.count)
            return (item, middle, position)
        }
        layers[index] = middles.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
    }

    private var crossings: Int {
        zip(layers, layers.dropFirst()).reduce(0) { sum, pair in
            let places = Dictionary(uniqueKeysWithValues: pair.1.enumerated().map { ($1, $0) })
            let ends = pair.0.flatMap { item in (following[item] ?? []).compactMap { places[$0] }.sorted() }
            let crossed = ends.indices.reduce(0) { count, index in
                count + ends[..<index].count { $0 > ends[index] }
            }
            return sum + crossed
        }
    }
}
