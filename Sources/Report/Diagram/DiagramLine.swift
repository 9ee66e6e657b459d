import SluiceRecords

/// The lines of a drawing: from the row of a relationship to the head of the box that it leads to.
struct DiagramLine {
    /// A relationship and one of its targets.
    struct End {
        var box: Int
        var reference: Int
        var target: Int
    }

    static let loopWidth = 34.0

    let diagram: ModelDiagram
    let layers: DiagramLayers
    let places: DiagramPlaces
    let sizes: [DiagramPlaces.Size]
    /// Of a box and its relationship: the number of the row.
    let row: (Int, Int) -> Int

    func text(of end: End, line: Int) -> String {
        let isBack = layers.lines[line].isBack
        let course = layers.course(of: line)
        var points: [(x: Double, y: Double)] = []
        for (index, item) in course.enumerated() {
            let top = places.tops[item] ?? 0
            guard case .box(let box) = item else {
                let middle = top + DiagramPlaces.lineHeight / 2
                let layer = layer(of: item)
                points.append((places.lefts[layer], middle))
                points.append((places.lefts[layer] + places.widths[layer], middle))
                continue
            }
            let isSource = (index == 0) != isBack
            let x = left(of: item) + (index == 0 ? sizes[box].width : 0)
            points.append((x, top + (isSource ? height(of: end) : SVGDiagram.head / 2)))
        }
        if isBack { points.reverse() }
        var path = "M\(number(points[0].x)) \(number(points[0].y))"
        for (from, to) in zip(points, points.dropFirst()) {
            guard from.y != to.y else {
                path += "H\(number(to.x))"
                continue
            }
            let middle = number((from.x + to.x) / 2)
            path += "C\(middle) \(number(from.y)) \(middle) \(number(to.y)) \(number(to.x)) \(number(to.y))"
        }
        return shape(path, end, pointing: isBack ? -1 : 1, at: points[points.count - 1])
    }

    /// From a box to itself, around its right edge.
    func loop(_ end: End) -> String {
        let item = DiagramLayers.Item.box(end.box)
        let top = places.tops[item] ?? 0
        let x = left(of: item) + sizes[end.box].width
        let far = number(x + DiagramLine.loopWidth)
        let (from, to) = (number(top + height(of: end)), top + SVGDiagram.head / 2)
        let path = "M\(number(x)) \(from)C\(far) \(from) \(far) \(number(to)) \(number(x)) \(number(to))"
        return shape(path, end, pointing: -1, at: (x, to))
    }

    /// - Parameter direction: 1, to the right; -1, to the left.
    private func shape(_ path: String, _ end: End, pointing direction: Int, at tip: (x: Double, y: Double)) -> String {
        let reference = diagram.boxes[end.box].references[end.reference]
        var styles = ["line"]
        if reference.isIdentifying { styles.append("identifying") }
        if reference.targets.count > 1 { styles.append("several") }
        if reference.cascades { styles.append("cascade") }
        let head = DiagramLine.head(
            isMany: reference.kind != .one, pointing: direction, x: Int(tip.x.rounded()), y: Int(tip.y.rounded()))
        let name = "\(diagram.boxes[end.box].name).\(reference.name): \(reference.inWords(diagram.boxes))"
        let line = "<path d=\"\(path)\"/><path class=\"end\" d=\"\(head)\"/>"
        return "<g class=\"\(styles.joined(separator: " "))\"><title>\(HTMLText.escaped(name))</title>\(line)</g>"
    }

    /// The head of an arrow, two of them for many targets.
    static func head(isMany: Bool, pointing direction: Int, x: Int, y: Int) -> String {
        let tips = isMany ? [x, x - 6 * direction] : [x]
        return tips.map { "M\($0 - 8 * direction) \(y - 4)L\($0) \(y)L\($0 - 8 * direction) \(y + 4)" }.joined()
    }

    /// Of the row, below the upper edge of its box.
    private func height(of end: End) -> Double {
        SVGDiagram.head + (Double(row(end.box, end.reference)) + 0.5) * SVGDiagram.row + 4
    }

    private func layer(of item: DiagramLayers.Item) -> Int { layers.layers.firstIndex { $0.contains(item) } ?? 0 }

    private func left(of item: DiagramLayers.Item) -> Double { places.lefts[layer(of: item)] }

    private func number(_ value: Double) -> String { "\(Int(value.rounded()))" }
}
