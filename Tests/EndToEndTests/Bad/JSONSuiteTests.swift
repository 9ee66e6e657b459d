import Foundation
import Testing

/// The JSON parsing test suite in `Tests/JSONTestSuite`, through the command.
@Suite struct JSONSuiteTests {
    private static let folder = Sluice.path("Tests/JSONTestSuite/test_parsing")
    private static let parts = 4

    private static var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []
    }

    @Test func theSuiteIsThere() { #expect(JSONSuiteTests.names.count == 318) }

    /// Each part beside the others, since most of the time goes into starting processes.
    @Test(arguments: 0..<4)
    func validIsAcceptedAndInvalidIsRefused(part: Int) throws {
        // Few of them hold any records.
        let scene = try Scene(.new, settings: #""limits": { "records": 0 },"#)
        for (index, name) in JSONSuiteTests.names.enumerated() where index % JSONSuiteTests.parts == part {
            let feed = JSONSuiteTests.folder + "/" + name
            let store = scene.folder.file("\(index).sqlite")
            let outcome = try Sluice.run(
                ["run", scene.definition, "--feed", feed, "--store", store, "--quiet"])
            let allowed: [Int32] = name.hasPrefix("y_") ? [0] : name.hasPrefix("n_") ? [65] : [0, 65]
            #expect(allowed.contains(outcome.status), "\(name): \(outcome.status) \(outcome.errors)")
            // What is refused has a place, and leaves no store.
            let hasPlace = outcome.errors.range(of: #":[1-9]\d*:[1-9]\d*: "#, options: .regularExpression) != nil
            #expect(hasPlace == (outcome.status == 65), "\(name): \(outcome.errors)")
            #expect(Feeds.isThere(store) == (outcome.status == 0), "\(name)")
        }
    }
}
