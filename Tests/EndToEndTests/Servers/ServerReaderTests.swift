import Foundation
import SluicePostgreSQL
import Synchronization
import TestSupport
import Testing

/// Programs that read while runs go on: they see the old data until the end, and never wait.
@Suite struct ServerReaderTests {
    private func feed(_ version: Int) -> String {
        let items = (0..<300).map {
            "{\"id\":\($0),\"name\":\"v\(version)\",\"price\":\(version),\"parent\":\(($0 + version) % 300),\"size\":1}"
        }
        return "{\"items\":[\(items.joined(separator: ",\n"))]}"
    }

    /// What a reader sees that asks again and again until a run has ended, all of it at one moment each time. If the
    /// reader had to wait, the server would refuse it after a while.
    private func seen(_ scene: ServerScene, during run: () throws -> Void) throws -> [String] {
        let reader = try scene.connect()
        try reader.execute("SET lock_timeout = '1s'; SET statement_timeout = '5s'")
        let table = "\"\(scene.schema)\".\"Item\""
        let seen = Mutex<[String]>([])
        let isOver = Mutex(false)
        let ended = DispatchSemaphore(value: 0)
        let readings = Readings(reader)
        Thread.detachNewThread {
            repeat {
                let answer = readings.ask(
                    """
                    SELECT count(*)::text || ' ' || coalesce(string_agg(DISTINCT t.name, ','), '') || ' ' || (SELECT count(*)
                    FROM \(table) i JOIN \(table) p ON p."objectID" = i.parent) FROM \(table) t
                    """)
                seen.withLock { $0.append(answer) }
            } while !isOver.withLock { $0 }
            ended.signal()
        }
        try run()
        isOver.withLock { $0 = true }
        ended.wait()
        return seen.withLock { $0 }
    }

    private final class Readings: @unchecked Sendable {
        // Unchecked: one thread has it.
        private let connection: ServerConnection
        init(_ connection: ServerConnection) { self.connection = connection }

        func ask(_ sql: String) -> String {
            do { return try connection.query(sql).text(0, 0) } catch { return "\(error)" }
        }
    }

    /// Also while columns, indexes and foreign keys are added.
    @Test(arguments: [false, true])
    func seeTheOldDataUntilTheEnd(grows: Bool) throws {
        let scene = try ServerScene("\"batchSize\": 50,")
        _ = try scene.folder.write("feed.json", feed(1))
        #expect(try scene.run("run", "--quiet").status == 0)
        _ = try scene.folder.write("feed.json", feed(2))
        if grows {
            let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
            _ = try scene.folder.write(
                "items.jsonc",
                text.replacing(
                    "\"price\": \"real\"",
                    with: "\"price\": { \"type\": \"real\", \"index\": true }, \"size\": \"real\""
                )
                .replacing(
                    "\"parent\": { \"to\": \"Item\" }",
                    with: "\"parent\": { \"to\": \"Item\" }, \"next\": { \"to\": \"Item\", \"from\": \"parent\" }"))
        }
        // The way to the server is long.
        let proxy = try ServerProxy(to: scene.cluster.socket) { message in
            if message.awaitsAnswer { usleep(2000) }
            return .passes
        }
        let seen = try seen(scene) {
            let outcome = try scene.run("run", "--quiet", "--store", scene.cluster.uri(through: proxy))
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(Set(seen).isSubset(of: ["300 v1 300", "300 v2 300"]), "\(Set(seen))")
        // How often it reads meanwhile is a matter of the machine.
        #expect(seen.first == "300 v1 300" && seen.count > 1)
        #expect(try scene.sql("SELECT count(*) FROM @.\"Item\" WHERE name = 'v2'") == "300")
    }

    /// A dry run reads one moment, and keeps nobody from writing.
    @Test func aDryRunKeepsNobodyOut() throws {
        let scene = try ServerScene("\"batchSize\": 50,")
        _ = try scene.folder.write("feed.json", feed(1))
        #expect(try scene.run("run", "--quiet").status == 0)
        let dry = try RunningSluice(
            ["run", scene.definition, "--dry-run", "--format", "json", "--feed", "-"], pipesInput: true)
        try dry.write("{\"items\": [{\"id\": 1, \"name\": \"v1\", \"price\": 1, \"parent\": 2}, {\"id\": 1000}")
        #expect(
            dry.waits {
                (try? scene.sql("SELECT count(*) FROM pg_locks WHERE relation = '@.\"Item\"'::regclass AND granted"))
                    != "0"
            })
        _ = try scene.folder.write("feed.json", feed(2))
        #expect(try scene.run("run", "--quiet").status == 0)
        try dry.write("]}")
        try dry.closeInput()
        let outcome = dry.ended()
        #expect(outcome.status == 0, "\(outcome.errors)")
        // Of what the other run has changed, it knows nothing.
        #expect(outcome.count("Item", "unchanged") == 1 && outcome.count("Item", "created") == 1)
    }
}
