/// How drawings of models look; all rules are theirs alone, so that a page around them keeps its own.
enum SVGStyle {
    static let text = """
        svg.model {
          color-scheme: light dark;
          --m-box: #ffffff; --m-programs: #f3f0fa; --m-edge: #b4bac2; --m-text: #1d2024; --m-faint: #62676e;
          --m-line: #3b76c4; --m-cascade: #cf4035;
          font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        }
        @media (prefers-color-scheme: dark) {
          svg.model {
            --m-box: #1c1f23; --m-programs: #262233; --m-edge: #565e68; --m-text: #e4e6e8; --m-faint: #9aa1a9;
            --m-line: #5e95dd; --m-cascade: #e8695f;
          }
        }
        svg.model text { fill: var(--m-text); }
        svg.model .name { font-weight: 700; }
        svg.model .key { text-decoration: underline; }
        svg.model .reference { fill: var(--m-line); }
        svg.model .more, svg.model .type, svg.model .explained text { fill: var(--m-faint); }
        svg.model .type { text-anchor: end; }
        svg.model rect { fill: var(--m-box); stroke: var(--m-edge); }
        svg.model rect.programs { fill: var(--m-programs); }
        svg.model .rule { stroke: var(--m-edge); }
        svg.model .line path { fill: none; stroke: var(--m-line); stroke-width: 1.5; }
        svg.model .identifying path { stroke-width: 3; }
        svg.model .several path { stroke-dasharray: 6 4; }
        svg.model .cascade path { stroke: var(--m-cascade); }
        svg.model .line .end { stroke-dasharray: none; }
        """

    static func legend(y: Int) -> String {
        let kinds = [
            ("line", "to-one"), ("line", "to-many"), ("line identifying", "identifies"),
            ("line several", "several targets"), ("line cascade", "deleted with"),
        ]
        var x = 16
        let parts = kinds.map { style, name in
            defer { x += 44 + name.count * 8 + 16 }
            let head = DiagramLine.head(isMany: name == "to-many", pointing: 1, x: x + 36, y: y)
            return "<g class=\"\(style)\"><path d=\"M\(x) \(y)H\(x + 36)\"/><path class=\"end\" d=\"\(head)\"/></g>"
                + "<text x=\"\(x + 44)\" y=\"\(y + 4)\">\(name)</text>"
        }
        return "<g class=\"explained\">\(parts.joined())</g>"
    }
}
