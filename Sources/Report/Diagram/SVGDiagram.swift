import SluiceRecords

/// The diagram as a drawing that needs nothing else: no font, no script; in light and in dark.
struct SVGDiagram {
    let diagram: ModelDiagram
    /// Whether columns that neither identify nor refer are left out, and only counted.
    let isShort: Bool
    /// Whether it stands within a page; else it is a file of its own.
    var isOnPage = false

    static let row = 22.0
    static let head = 32.0
    /// Of a character, in the font of a fixed width.
    static let character = 7.83
    static let padding = 12.0

    /// A line of a box.
    private struct Row {
        var name: String
        var type: String
        var style = ""
    }

    var text: String {
        let rows = diagram.boxes.map(rows)
        let sizes = diagram.boxes.indices.map { size(of: diagram.boxes[$0], rows[$0]) }
        let references = diagram.boxes.indices.flatMap { index in
            diagram.boxes[index].references.enumerated().flatMap { position, reference in
                reference.targets.map { DiagramLine.End(box: index, reference: position, target: $0) }
            }
        }
        let apart = references.filter { $0.box != $0.target }
        let layers = DiagramLayers(boxes: rows.count, lines: apart.map { ($0.box, $0.target) })
        let places = DiagramPlaces(layers, sizes: sizes)
        let drawn = DiagramLine(diagram: diagram, layers: layers, places: places, sizes: sizes) { box, reference in
            rows[box].firstIndex { $0.name.isIdentical(to: diagram.boxes[box].references[reference].name) } ?? 0
        }
        let lines = apart.enumerated().map { drawn.text(of: $0.element, line: $0.offset) }
        let loops = references.filter { $0.box == $0.target }.map(drawn.loop)
        let boxes = layers.layers.enumerated().flatMap { layer, items in
            items.compactMap { item -> String? in
                guard case .box(let index) = item, let top = places.tops[item] else { return nil }
                return box(index, rows[index], x: places.lefts[layer], y: top, sizes[index])
            }
        }
        // Lines that begin and end at one box go beyond its edge.
        let width = places.size.width + (loops.isEmpty ? 0 : DiagramLine.loopWidth)
        return page(lines + loops + boxes, width: width, height: places.size.height)
    }

    private func page(_ parts: [String], width: Double, height: Double) -> String {
        let names = diagram.boxes.map(\.name).joined(separator: ", ")
        let (width, height) = (max(Int(width), 740), Int(height) + 30)
        return """
            <svg\(isOnPage ? "" : " xmlns=\"http://www.w3.org/2000/svg\"") class="model" viewBox="0 0 \(width) \(height)" width="\(width)" \
            height="\(height)" role="img">
            <title>\(HTMLText.escaped("The entities of \(diagram.name): \(names)"))</title>
            <style>\(SVGStyle.text)</style>
            \(parts.joined(separator: "\n"))
            \(SVGStyle.legend(y: height - 16))
            </svg>

            """
    }

    // MARK: Boxes

    private func rows(of box: ModelDiagram.Box) -> [Row] {
        let identifying = box.columns.filter(\.isIdentifying).map { column in
            Row(name: column.name, type: column.across.map { "⇢ \($0)" } ?? column.type, style: "key")
        }
        let references = box.references.map { reference in
            let targets = reference.targets.map { diagram.boxes[$0].name }.joined(separator: " | ")
            let type = (reference.kind == .one ? "→ " : "⇉ ") + targets
            let values = reference.values.map(\.name).joined(separator: ", ")
            return Row(name: reference.name, type: type + (values.isEmpty ? "" : " (\(values))"), style: "reference")
        }
        let columns = box.columns.filter { !$0.isIdentifying }
        let held = columns.compactMap { column in column.across.map { (name: column.name, target: $0) } }
        let across = (held + box.across).map { Row(name: $0.name, type: "⇢ \($0.target)", style: "reference") }
        let others = columns.filter { $0.across == nil }
        if isShort {
            let count = others.isEmpty ? [] : [Row(name: "\(others.count) more", type: "", style: "more")]
            return identifying + references + across + count
        }
        let plain = others.map { Row(name: $0.name, type: $0.type + ($0.isRequired ? "" : "?")) }
        let mark = box.hasMark ? [Row(name: Entity.deletedAt, type: "datetime?")] : []
        return identifying + references + across + plain + mark
    }

    private static func shown(_ text: String) -> String { text.printable.shortened(toColumns: 34) }

    private func size(of box: ModelDiagram.Box, _ rows: [Row]) -> DiagramPlaces.Size {
        let widths = rows.map { SVGDiagram.shown($0.name).columns + SVGDiagram.shown($0.type).columns + 3 }
        let most = max(widths.max() ?? 0, SVGDiagram.shown(box.name).columns + 2)
        return DiagramPlaces.Size(
            width: (Double(most) * SVGDiagram.character + 2 * SVGDiagram.padding).rounded(.up),
            height: SVGDiagram.head + Double(rows.count) * SVGDiagram.row + 8)
    }

    private func box(_ index: Int, _ rows: [Row], x: Double, y: Double, _ size: DiagramPlaces.Size) -> String {
        let (width, height) = (Int(size.width), Int(size.height))
        let name = HTMLText.escaped(SVGDiagram.shown(diagram.boxes[index].name))
        var lines = [
            "<g class=\"box\" transform=\"translate(\(Int(x)) \(Int(y)))\">",
            "<rect class=\"\(diagram.boxes[index].isOfPrograms ? "programs" : "feed")\" width=\"\(width)\" height=\"\(height)\" rx=\"6\"/>",
            "<path class=\"rule\" d=\"M0 \(Int(SVGDiagram.head))H\(width)\"/>",
            "<text class=\"name\" x=\"\(Int(SVGDiagram.padding))\" y=\"21\">\(name)</text>",
        ]
        for (position, row) in rows.enumerated() {
            let y = Int(SVGDiagram.head + (Double(position) + 0.5) * SVGDiagram.row + 8)
            let style = row.style.isEmpty ? "" : " class=\"\(row.style)\""
            lines.append(
                "<text\(style) x=\"\(Int(SVGDiagram.padding))\" y=\"\(y)\">\(HTMLText.escaped(SVGDiagram.shown(row.name)))</text>"
            )
            if row.type.isEmpty { continue }
            let type = HTMLText.escaped(SVGDiagram.shown(row.type))
            lines.append("<text class=\"type\" x=\"\(width - Int(SVGDiagram.padding))\" y=\"\(y)\">\(type)</text>")
        }
        return lines.joined(separator: "\n") + "\n</g>"
    }
}
