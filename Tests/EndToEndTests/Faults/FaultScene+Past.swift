import Foundation
import Testing

// Stores that keep their past: a run that is disturbed changes nothing of it.
extension FaultScene {
    /// What a disturbed run has left.
    struct Left {
        /// The last run that the store knew of.
        var run: Int
        var contents: [String: [[String]]]
    }

    /// The stores of the first night, of what the disturbed run has left, and of the rerun are made again, and a script
    /// leads from the first to the last.
    func checkPast(_ left: Left, _ what: String, _ location: SourceLocation) throws {
        let last = try Database(store).integer("SELECT max(run) FROM sluice_run")
        for (run, expected) in [(1, before), (left.run, left.contents), (last, after)] {
            let path = try past(run)
            #expect(try Database(path).contents() == expected, "\(what): as of run \(run)", sourceLocation: location)
        }
        let script = try command(["diff", definition, "1", "\(last)", "--format", "sql", "--store", store])
        let copy = try Database(past(1))
        try copy.execute(script.output)
        #expect(try copy.contents() == after, "\(what): the script", sourceLocation: location)
    }

    /// The store as it was when a run had ended.
    private func past(_ run: Int) throws -> String {
        let path = folder.file("past-\(UUID().uuidString.prefix(8)).sqlite")
        _ = try command(["at", definition, "\(run)", "--output", path, "--store", store])
        return path
    }

    private func command(_ arguments: [String]) throws -> Sluice.Outcome {
        let outcome = try RunningSluice(arguments, environment: [:]).ended()
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return outcome
    }
}
