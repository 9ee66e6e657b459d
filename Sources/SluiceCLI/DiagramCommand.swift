import Sluice
import SluiceRecords

extension Command {
    static let diagram = Command(
        name: "diagram", arguments: "PIPELINE",
        summary: "draw the entities and their relationships",
        detail: """
            Draws the entities of the pipeline definition PIPELINE, with their attributes and the kinds of
            their relationships: as SVG, for pages and documents; as Mermaid, for Markdown; as
            DBML, with the tables of the store. Feeds and stores are not read.
            """,
        options: [
            Option(
                "format", value: "svg|mermaid|dbml",
                "how it is drawn (default: as FILE ends, in .svg, .mmd or .dbml, and svg otherwise)"),
            Option("output", short: "o", value: "FILE", "write to this file instead of standard output"),
            Option("short", "of SVG: leave out attributes that neither identify an object nor refer to one"),
        ],
        run: { arguments in
            let output = arguments.output
            let word = try arguments.choice("format", ModelDiagram.Format.allCases.map(\.rawValue))
            let format = ModelDiagram.Format(rawValue: word ?? "") ?? ModelDiagram.Format(file: output ?? "")
            let definition = try readDefinition(arguments.onlyArgument("PIPELINE"))
            try definition.require([.settings, .entities])
            let text = definition.diagram.text(format, isShort: arguments.has("short"))
            guard let output else {
                try printOutput(text)
                return 0
            }
            try definition.write(text, to: output)
            return 0
        })
}

extension ModelDiagram.Format {
    /// The one that a name of a file asks for; SVG where it asks for none.
    fileprivate init(file: String) {
        let endings: [(String, ModelDiagram.Format)] = [(".mmd", .mermaid), (".mermaid", .mermaid), (".dbml", .dbml)]
        self = endings.first { file.lowercased().hasSuffix($0.0) }?.1 ?? .svg
    }
}
