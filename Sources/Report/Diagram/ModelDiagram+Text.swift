extension ModelDiagram {
    /// How a diagram is written.
    package enum Format: String, CaseIterable, Sendable { case svg, mermaid, dbml }

    /// The diagram as a file.
    ///
    /// - Parameter isShort: of a drawing: leaves out the columns that neither identify nor refer.
    package func text(_ format: Format, isShort: Bool = false) -> String {
        switch format {
        case .svg: SVGDiagram(diagram: self, isShort: isShort).text
        case .mermaid: MermaidDiagram(diagram: self).text
        case .dbml: DBMLDiagram(diagram: self).text
        }
    }
}
