/// Where the items of a diagram stand, in pixels.
struct DiagramPlaces {
    struct Size {
        var width: Double
        var height: Double
    }

    static let gap = 24.0
    /// Between two layers, for the lines.
    static let channel = 84.0
    /// Of the place of a line.
    static let lineHeight = 12.0
    static let margin = 16.0

    /// The upper edge of each item.
    private(set) var tops: [DiagramLayers.Item: Double] = [:]
    /// The left edge of each layer.
    private(set) var lefts: [Double] = []
    private(set) var widths: [Double] = []
    private(set) var size = Size(width: 0, height: 0)
    private let sizes: [Size]

    init(_ layers: DiagramLayers, sizes: [Size]) {
        self.sizes = sizes
        var left = DiagramPlaces.margin
        for layer in layers.layers {
            let width = layer.map(width).max() ?? 0
            lefts.append(left)
            widths.append(width)
            left += width + DiagramPlaces.channel
            stack(layer) { _ in 0 }
        }
        // To and fro, each layer by those that are placed: what belongs together comes to stand at one height.
        for round in 0..<8 {
            let isForward = round.isMultiple(of: 2)
            let order = isForward ? Array(layers.layers.indices) : layers.layers.indices.reversed()
            for index in order {
                place(layers.layers[index], by: isForward ? layers.preceding : layers.following)
            }
        }
        let highest = tops.values.min() ?? 0
        for item in tops.keys { tops[item]? += DiagramPlaces.margin - highest }
        let lowest = tops.map { $0.value + height($0.key) }.max() ?? 0
        size = Size(width: left - DiagramPlaces.channel + DiagramPlaces.margin, height: lowest + DiagramPlaces.margin)
    }

    func height(_ item: DiagramLayers.Item) -> Double {
        switch item {
        case .box(let index): sizes[index].height
        case .line: DiagramPlaces.lineHeight
        }
    }

    private func width(_ item: DiagramLayers.Item) -> Double {
        switch item {
        case .box(let index): sizes[index].width
        case .line: 0
        }
    }

    private mutating func place(
        _ layer: [DiagramLayers.Item], by neighbours: [DiagramLayers.Item: [DiagramLayers.Item]]
    ) {
        let middles = layer.map { item -> Double in
            let found = (neighbours[item] ?? []).compactMap { other in tops[other].map { $0 + height(other) / 2 } }
            return found.isEmpty ? (tops[item] ?? 0) : found.reduce(0, +) / Double(found.count) - height(item) / 2
        }
        stack(layer) { middles[$0] }
    }

    /// Places a layer as near to what is wanted as its order and the gaps let it: neighbours that would come too near
    /// move as one.
    private mutating func stack(_ layer: [DiagramLayers.Item], wanted: (Int) -> Double) {
        var offsets = [0.0]
        for item in layer { offsets.append(offsets[offsets.count - 1] + height(item) + DiagramPlaces.gap) }
        var blocks: [(sum: Double, count: Int)] = []
        for index in layer.indices {
            blocks.append((wanted(index) - offsets[index], 1))
            while blocks.count > 1, let last = blocks.last {
                let before = blocks[blocks.count - 2]
                guard before.sum / Double(before.count) > last.sum / Double(last.count) else { break }
                blocks.removeLast()
                blocks[blocks.count - 1] = (before.sum + last.sum, before.count + last.count)
            }
        }
        let tops = blocks.flatMap { Array(repeating: $0.sum / Double($0.count), count: $0.count) }
        for (index, item) in layer.enumerated() { self.tops[item] = (tops[index] + offsets[index]).rounded() }
    }
}
