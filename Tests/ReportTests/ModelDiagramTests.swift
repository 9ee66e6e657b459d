import DefinitionSupport
import ReportSupport
import SluiceDefinition
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceReport

/// The entities of a definition as a picture: in each form, all of them, and every relationship by its kind.
@Suite struct ModelDiagramTests {
    private func diagram(_ entities: String) throws -> ModelDiagram {
        let text = """
            { "name": "night", "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "entities": { \(entities) } }
            """
        let definition = try PipelineDefinition.understood(text)
        return ModelDiagram(name: definition.name, definition.model)
    }

    private func play() throws -> ModelDiagram {
        try diagram(
            """
            "Play": { "records": "$.plays[*]", "identifier": "id",
              "attributes": { "id": "integer", "title": { "type": "text", "required": true },
                "kind": { "type": "text", "oneOf": ["drama", "opera"] } },
              "relationships": { "next": { "to": "Play" },
                "people": { "to": "Person", "from": "cast[*].id", "many": true,
                  "with": { "role": "role" } } } },
            "Person": { "records": "$.people[*]", "identifier": "id", "absent": "mark",
              "attributes": { "id": "text", "names": { "type": "text", "from": "names[*]", "many": true } } },
            "Night": { "records": "$.nights[*]", "identifier": ["play", "day"], "table": "nights",
              "attributes": { "day": "date" }, "relationships": { "play": { "to": "Play", "onDelete": "cascade" },
                "about": { "to": ["Person", "Play"], "from": "about" } } }
            """)
    }

    @Test func theKindsOfRelationships() throws {
        let diagram = try play()
        let words = diagram.boxes.flatMap { box in
            box.references.map { "\(box.name).\($0.name): \($0.inWords(diagram.boxes))" }
        }
        #expect(
            words == [
                "Play.next: to-one, Play", "Play.people: to-many, Person, with role",
                "Night.play: to-one, Play, part of the identifier, deleted with it",
                "Night.about: to-one, Person or Play",
            ])
    }

    /// A mark is one character with the quotation mark before it.
    @Test func quotationMarksDoNotGoThrough() throws {
        let entity = #""A\"\#u{301}x": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } }"#
        #expect(try diagram(entity).text(.mermaid).contains("\"A'\u{301}x\" {"))
    }

    @Test func asMermaid() throws {
        #expect(
            try play().text(.mermaid) == """
                ---
                title: "night"
                ---
                erDiagram
                    "Play" {
                        integer id PK
                        text title "required"
                        text kind "drama, opera"
                        Play next FK
                    }
                    "Person" {
                        text id PK
                        text[] names
                        datetime deleted_at
                    }
                    "Night" {
                        date day PK
                        integer play_id PK
                        Play play FK
                        Person-or-Play about FK
                    }
                    "Play" }o..o| "Play" : "next"
                    "Play" }o..o{ "Person" : "people with role"
                    "Night" }o--o| "Play" : "play, cascade"
                    "Night" }o..o| "Person" : "about"
                    "Night" }o..o| "Play" : "about"

                """)
    }

    @Test func asDBML() throws {
        #expect(
            try play().text(.dbml) == """
                Project "night" {
                  Note: 'Written by sluice diagram.'
                }

                Enum "Play_kind" {
                  "drama"
                  "opera"
                }

                Table "Play" {
                  "objectID" integer [pk]
                  "id" integer [unique, not null]
                  "title" text [not null]
                  "kind" "Play_kind"
                  "next" integer
                }

                Table "Play_people" {
                  "source" integer [not null]
                  "target" integer [not null]
                  "position" integer [not null]
                  "role" text

                  Note: 'Play.people: to-many, Person, with role'
                }

                Table "Person" {
                  "objectID" integer [pk]
                  "id" text [unique, not null]
                  "names" text[]
                  "deleted_at" datetime
                }

                Table "nights" {
                  "objectID" integer [pk]
                  "day" date [not null]
                  "play_id" integer [not null]
                  "play" integer
                  "about" integer [note: 'objectID in Person or Play']
                  "about_entity" text

                  indexes {
                    ("play_id", "day") [unique]
                  }

                  Note: 'The entity Night.'
                }

                Ref: "Play"."next" > "Play"."objectID" [delete: set null]
                Ref: "Play_people"."source" > "Play"."objectID" [delete: cascade]
                Ref: "Play_people"."target" > "Person"."objectID" [delete: cascade]
                Ref: "nights"."play" > "Play"."objectID" [delete: cascade]

                """)
    }

    @Test func asADrawing() throws {
        let text = try play().text(.svg)
        for title in ["Play.next: to-one, Play", "Night.about: to-one, Person or Play"] {
            #expect(text.contains("<title>\(title)</title>"))
        }
        #expect(text.matches(of: /<g class="box"/).count == 3)
        #expect(text.matches(of: /<g class="line[^"]*"><title>/).count == 5)
        #expect(text.contains(">kind</text>") && text.contains(">text?</text>"))
        let short = try play().text(.svg, isShort: true)
        #expect(!short.contains(">kind</text>") && short.contains(">2 more</text>"))
    }

    /// Whatever the names, every form has the same structure.
    @Test(
        arguments: ReportPageTests.hostile + ["\" {", "*/", "'''", "`x`", "%%{init}%%", "a; b", "\\", "é", "e\u{301}"])
    func namesStayNames(_ name: String) throws {
        func forms(_ name: String) throws -> [String] {
            // No name holds a NUL.
            let name = name.replacing("\u{0}", with: "")
            let quoted = JSONText.quoted(name + "x")
            let diagram = try diagram(
                """
                \(quoted): { "records": "$[*]", "identifier": "id", "attributes": { "id": "text", \(quoted): { "type": "text",
                  "oneOf": [\(quoted)] } }, "relationships": { \(JSONText.quoted(name + "y")): { "to": \(quoted), "from": "o" },
                  \(JSONText.quoted(name + "z")): { "to": \(quoted), "from": "p[*]", "many": true } } }
                """)
            let mermaid = diagram.text(.mermaid).replacing(/"[^"\n]*"/, with: "\"\"")
            return [
                diagram.text(.svg).replacing(/>[^<]*</, with: "><").replacing(/"[^"]*"/, with: "\"\""),
                mermaid.replacing(/_*[-A-Za-z0-9_\[\]]+/, with: "w"),
                diagram.text(.dbml).replacing(/"[^"\n]*"|'([^'\\\n]|\\.)*'/, with: "w"),
            ]
        }
        #expect(try forms(name) == forms("plain"))
    }

    /// Whatever refers to whatever: no box lies on another one, and each line begins and ends at its boxes.
    @Test(arguments: SeededRandom.seeds(1..<40))
    func nothingOverlaps(seed: Int) throws {
        var random = SeededRandom(seed)
        let count = Int.random(in: 1...14, using: &random)
        let lines = (0..<Int.random(in: 0...24, using: &random)).map { _ in
            (source: Int.random(in: 0..<count, using: &random), target: Int.random(in: 0..<count, using: &random))
        }.filter { $0.source != $0.target }
        let sizes = (0..<count).map { _ in
            DiagramPlaces.Size(
                width: Double.random(in: 80...300, using: &random), height: Double.random(in: 40...400, using: &random))
        }
        let layers = DiagramLayers(boxes: count, lines: lines)
        let places = DiagramPlaces(layers, sizes: sizes)
        #expect(layers.layers.joined().count { if case .box = $0 { true } else { false } } == count)
        for (index, items) in layers.layers.enumerated() {
            let tops = items.compactMap { places.tops[$0] }
            #expect(tops.count == items.count && tops.min() ?? 0 >= DiagramPlaces.margin)
            for (one, other) in zip(items, items.dropFirst()) {
                let bottom = (places.tops[one] ?? 0) + places.height(one)
                #expect(bottom <= (places.tops[other] ?? 0), "layer \(index)")
            }
        }
        for line in lines.indices {
            let course = layers.course(of: line).map { item in layers.layers.firstIndex { $0.contains(item) } }
            #expect(course.count >= 2)
            for (one, other) in zip(course, course.dropFirst()) { #expect(one.map { $0 + 1 } == other) }
        }
    }

    @Test func thePageHasIt() throws {
        let page = try Fixture.report().page(with: nil, diagram: play())
        #expect(page.contains("<h2>Model</h2>") && page.contains("Night.about: to-one, Person or Play"))
        for word in ["http:", "https:", "url("] { #expect(!page.contains(word), "\(word)") }
        #expect(
            !Fixture.report().page(with: nil, diagram: ModelDiagram(name: "n", Model(entities: []))).contains(
                "<h2>Model</h2>"))
    }
}
