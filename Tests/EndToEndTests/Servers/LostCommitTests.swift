import Foundation
import Synchronization
import TestSupport
import Testing

/// The connection is lost while a run is saved: what the run says has become of it is so.
@Suite struct LostCommitTests {
    private static let before = ["1,one,∅", "2,two,1", "3,∅,∅"]
    private static let after = ["1,uno,∅", "2,two,1", "3,∅,9", "9,∅,∅"]

    /// A run that has begun says so by a COMMIT of its own; the second one saves it.
    ///
    /// - Parameter isLast: whether nobody connects any more after that.
    private func proxy(_ fate: ServerProxy.Fate, isLast: Bool = false) throws -> ServerProxy {
        let commits = Mutex(0)
        return try ServerProxy(to: Cluster.shared.get().socket) { message in
            let number = commits.withLock { count in
                if message.sql == "COMMIT" { count += 1 }
                return count
            }
            if number == 2, message.sql == "COMMIT" { return fate }
            return isLast && number >= 2 ? .isLost : .passes
        }
    }

    /// A scene with a store, and a run through a proxy that brings more.
    private func run(
        through proxy: ServerProxy, prepare: (ServerScene) throws -> Void = { _ in }
    ) throws -> (scene: ServerScene, outcome: Sluice.Outcome) {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        try prepare(scene)
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\": 9}]}")
        let outcome = try Sluice.run(
            ["run", scene.definition, "--store", scene.cluster.uri(through: proxy)],
            environment: ["SLUICE_TEST_RECONNECT": "0.3"])
        return (scene, outcome)
    }

    private func ledger(_ scene: ServerScene) throws -> String {
        try scene.sql("SELECT status FROM @.sluice_run ORDER BY run")
    }

    @Test(arguments: [ServerProxy.Fate.isLost, .isTorn])
    func itHasNotArrived(_ fate: ServerProxy.Fate) throws {
        let (scene, outcome) = try run(through: proxy(fate))
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("the connection to the store postgresql:///postgres/\(scene.schema) was lost"))
        #expect(outcome.output.contains("failed; nothing was changed"))
        #expect(try scene.items() == Self.before)
        #expect(try ledger(scene) == "succeeded\nfailed")
    }

    @Test func itHasArrived() throws {
        let (scene, outcome) = try run(through: proxy(.isUnanswered))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.items() == Self.after)
        #expect(try ledger(scene) == "succeeded\nsucceeded")
    }

    /// A trigger that the server comes to when it commits.
    private func onCommit(_ statement: String, _ scene: ServerScene) throws {
        _ = try scene.sql(
            """
            CREATE FUNCTION @.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(statement); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON @."Item" DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION @.slow()
            """)
    }

    /// The server still commits when the run asks whether it has.
    @Test func itTakesItsTime() throws {
        let (scene, outcome) = try run(through: proxy(.isUnanswered)) { scene in
            try onCommit("PERFORM pg_sleep(0.5)", scene)
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.items() == Self.after)
        #expect(try ledger(scene) == "succeeded\nsucceeded")
    }

    @Test func itTakesItsTimeAndFails() throws {
        let (scene, outcome) = try run(through: proxy(.isUnanswered)) { scene in
            try onCommit("PERFORM pg_sleep(0.5); RAISE EXCEPTION 'no'", scene)
        }
        #expect(outcome.status == 69)
        #expect(outcome.output.contains("failed; nothing was changed"))
        #expect(try scene.items() == Self.before)
        #expect(try ledger(scene) == "succeeded\nfailed")
    }

    /// What cannot be found out is not guessed.
    @Test func nobodyAnswersAnyMore() throws {
        let (scene, outcome) = try run(through: proxy(.isUnanswered, isLast: true))
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("whether it is saved is not known; sluice runs will tell"))
        #expect(outcome.output.contains("failed; whether it is saved is not known"))
        #expect(!outcome.output.contains("nothing was changed"))
        // It is: the server had it.
        #expect(try scene.items() == Self.after)
        #expect(try ledger(scene) == "succeeded\nsucceeded")
    }
}
