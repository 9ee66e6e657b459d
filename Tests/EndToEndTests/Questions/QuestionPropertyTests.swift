import Foundation
import TestSupport
import Testing

/// Checks of random nights answer what a naive reading of the feeds does, in runs, in dry ones, and when they are
/// asked.
@Suite struct QuestionPropertyTests {
    @Test(arguments: SeededRandom.seeds(1..<6)) func inAFile(seed: Int) throws {
        let nights = try QuestionStore(seed) { settings in
            let folder = TemporaryFolder()
            let text = Scene.definition(settings: settings).replacing(
                "\"relationships\"", with: "\"absent\": \"delete\", \"relationships\"")
            return (folder, try folder.write("items.jsonc", text))
        }
        for _ in 0..<6 { try nights.night() }
        // Where every night had too many flaws, there is none.
        let store = nights.folder.file("store.sqlite")
        if FileManager.default.fileExists(atPath: store) { #expect(try Database(store).isSound()) }
    }

    @Test(arguments: SeededRandom.seeds(1..<4)) func onAServer(seed: Int) throws {
        var scene: ServerScene?
        let nights = try QuestionStore(seed) { settings in
            let made = try ServerScene(settings, entity: QuestionNights.entity)
            scene = made
            return (made.folder, made.definition)
        }
        for _ in 0..<6 { try nights.night() }
        _ = scene
    }
}
