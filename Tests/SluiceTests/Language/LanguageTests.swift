import Foundation
import SluiceExtract
import SluiceRecords
import StoreMirror
import TestSupport
import Testing

@testable import Sluice

/// Random definitions, on random feeds, in several runs on one store, end in what a naive model of the documentation
/// says, counts included.
@Suite struct LanguageTests {
    @Test(arguments: SeededRandom.seeds(0..<20))
    func storeEqualsModel(seed: Int) throws { try check(seed) }

    /// Seeds that once disagreed.
    @Test(arguments: [247, 363, 511, 2195, 2607, 4711])
    func storeEqualsModelAgain(seed: Int) throws { try check(seed) }

    /// The same on a server.
    @Test(arguments: SeededRandom.seeds(0..<3))
    func serverEqualsModel(seed: Int) throws { try check(seed, on: TestServer()) }

    private func check(_ seed: Int, on server: TestServer? = nil) throws {
        let scene = try LanguageScene(seed, on: server)
        for run in 0..<3 {
            let differences = try scene.run()
            #expect(differences == [], "run \(run) of \(scene.folder)")
            if !differences.isEmpty { return }
        }
        scene.remove()
    }
}
