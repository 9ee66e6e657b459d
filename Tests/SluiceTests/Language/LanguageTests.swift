import Extract
import Foundation
import Records
import Testing

@testable import Load
@testable import Sluice

/// Random definitions, on random feeds, in several runs on one store, end in what a naive model of the documentation
/// says, counts included.
@Suite struct LanguageTests {
    /// SLUICE_SEEDS=1000..<4000 tries others.
    static var seeds: Range<Int> {
        let parts = (ProcessInfo.processInfo.environment["SLUICE_SEEDS"] ?? "").split(separator: "..<").compactMap {
            Int($0)
        }
        return parts.count == 2 ? parts[0]..<parts[1] : 0..<150
    }

    @Test(arguments: seeds)
    func storeEqualsModel(seed: Int) throws {
        let scene = try LanguageScene(seed)
        for run in 0..<3 {
            let differences = try scene.run()
            #expect(differences == [], "run \(run) of \(scene.folder)")
            if !differences.isEmpty { return }
        }
        scene.remove()
    }
}
