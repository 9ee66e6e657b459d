import Foundation
import Testing

/// The types that `sluice swift` writes for programs. What they are good for is tested in `StoreTests`.
@Suite struct SwiftTypesTests {
    /// Those of all pipelines stand in the stranger's package, which compiles them; those of definitions with all that
    /// can be said, and with odd names, in `StoreTests`.
    @Test func typesOfAllPipelinesAreUpToDate() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Sluice.path("Pipelines"))
            .filter { $0.hasSuffix(".jsonc") }
        #expect(names.count >= 4)
        for name in names {
            let target = name == "gtfs.jsonc" ? "GTFSTypes" : "Types"
            let file = Sluice.path("Tests/Consumer/Sources/\(target)/\(name.dropLast(6)).swift")
            let outcome = try Sluice.run(["swift", Sluice.path("Pipelines/\(name)"), "--check", "-o", file])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let others = [
            ("Tests/StoreTests/Definitions/catalogue.jsonc", "Tests/StoreTests/Catalogue.swift"),
            ("Tests/StoreTests/Definitions/odd.jsonc", "Tests/StoreTests/Odd.swift"),
            ("Tests/StoreTests/Definitions/short.jsonc", "Tests/StoreTests/Short.swift"),
            ("Pipelines/berlin-transit.jsonc", "Samples/timetable-app/Sources/Timetable/Transit.swift"),
            ("Samples/timetable-app/favourites.jsonc", "Samples/timetable-app/Sources/Timetable/Favourites.swift"),
        ]
        for (definition, file) in others {
            let outcome = try Sluice.run(["swift", Sluice.path(definition), "--check", "-o", Sluice.path(file)])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    @Test func checkTellsAFileThatIsOutOfDate() throws {
        let scratch = TemporaryFolder()
        let pipeline = Sluice.path("Pipelines/places.jsonc")
        let file = scratch.file("Places.swift")
        #expect(try Sluice.run(["swift", pipeline, "--check", "-o", file]).status == 66)
        #expect(try Sluice.run(["swift", pipeline, "-o", file]).status == 0)
        #expect(try Sluice.run(["swift", pipeline, "--check", "-o", file]).status == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(try Sluice.run(["swift", pipeline]).output == text)
        try (text + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try Sluice.run(["swift", pipeline, "--check", "--output", file])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("\(file) is not what the definition says"))
        #expect(try Sluice.run(["swift", pipeline, "--check"]).status == 64)
        #expect(try Sluice.run(["swift", scratch.file("none.jsonc")]).status == 66)
    }
}
