import Foundation
import Testing

/// What `sluice diagram` draws, and where it goes. What a drawing has in it is tested in `ReportTests`.
@Suite struct DiagramTests {
    private let scratch = TemporaryFolder()
    private let pipeline = Sluice.path("Pipelines/berlin-transit.jsonc")

    @Test func theFormIsThatOfTheFile() throws {
        for (name, beginning) in [
            ("m.svg", "<svg "), ("m.mmd", "---\ntitle: "), ("m.dbml", "Project "), ("m", "<svg "),
        ] {
            let outcome = try Sluice.run(["diagram", pipeline, "-o", scratch.file(name)])
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
            #expect(try String(contentsOfFile: scratch.file(name), encoding: .utf8).hasPrefix(beginning))
        }
        let outcome = try Sluice.run(["diagram", "--format", "mermaid", pipeline])
        #expect(outcome.output.contains("\"StopTime\" }o..o| \"Stop\" : \"stop\""))
    }

    @Test func theDefinitionStays() throws {
        let copy = scratch.file("p.jsonc")
        try FileManager.default.copyItem(atPath: pipeline, toPath: copy)
        let outcome = try Sluice.run(["diagram", copy, "-o", scratch.file("./p.jsonc")])
        #expect(outcome.status == 64 && outcome.errors.contains("would replace the definition"))
        #expect(FileManager.default.contentsEqual(atPath: pipeline, andPath: copy))
    }

    @Test func everyDefinitionIsDrawn() throws {
        let gallery = Sluice.path("Pipelines/gallery")
        let names = try FileManager.default.contentsOfDirectory(atPath: gallery).filter { $0.hasSuffix(".jsonc") }
        #expect(names.count >= 20)
        for name in names {
            let outcome = try Sluice.run(["diagram", "\(gallery)/\(name)"])
            #expect(outcome.status == 0 && outcome.output.hasSuffix("</svg>\n"), "\(name): \(outcome.errors)")
        }
    }

    /// The picture of the documentation is what the command draws now.
    @Test func thePictureIsUpToDate() throws {
        let picture = try String(contentsOfFile: Sluice.path("Documentation/pictures/model.svg"), encoding: .utf8)
        #expect(try Sluice.run(["diagram", Sluice.path("Pipelines/gtfs.jsonc")]).output == picture)
    }

    @Test func thePageOfAReportHasIt() throws {
        let page = scratch.file("r.html")
        let run = ["run", "-q", pipeline, "--store", scratch.file("s.sqlite"), "--report", page]
        #expect(try Sluice.run(run).status == 0)
        #expect(
            try String(contentsOfFile: page, encoding: .utf8).contains("<title>StopTime.stop: to-one, Stop</title>"))
    }
}
