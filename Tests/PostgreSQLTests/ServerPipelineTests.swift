import Foundation
import SluiceRecords
import Synchronization
import TestSupport
import Testing

@testable import SluicePostgreSQL

/// Statements that are sent one behind the other, and whose answers are taken later.
@Suite struct ServerPipelineTests {
    private func connect(isCancelled: @escaping @Sendable () -> Bool = { false }) throws -> ServerConnection {
        let address = try ServerAddress(Cluster.shared.get().uri)
        return try ServerConnection(address, name: "test", application: "sluice test", isCancelled: isCancelled)
    }

    private func failure(_ body: () throws -> Void) -> Failure? {
        do { try body() } catch { return error as? Failure }
        return nil
    }

    private func parameters(_ numbers: Int64...) -> Parameters {
        var parameters = Parameters()
        for number in numbers { parameters.add(number) }
        return parameters
    }

    @Test func answersComeInTheirOrder() throws {
        let connection = try connect()
        try connection.write("CREATE TEMP TABLE kept (k bigint PRIMARY KEY)")
        var changed: [Int] = []
        try connection.write("INSERT INTO pg_temp.kept SELECT g FROM generate_series(1, $1) g", parameters(7)) {
            changed.append($0.changed)
        }
        let first = try connection.sendQuery("SELECT count(*) FROM pg_temp.kept")
        try connection.write("DELETE FROM pg_temp.kept WHERE k > $1", parameters(3)) { changed.append($0.changed) }
        let second = try connection.sendQuery("SELECT count(*) FROM pg_temp.kept")
        #expect(changed.isEmpty)
        #expect(try connection.rows(of: second).integer(0, 0) == 3)
        #expect(try connection.rows(of: first).integer(0, 0) == 7)
        #expect(changed == [7, 4])
        // Outside of it, and in it again.
        try connection.execute("INSERT INTO pg_temp.kept VALUES (8); INSERT INTO pg_temp.kept VALUES (9)")
        #expect(try connection.query("SELECT count(*) FROM pg_temp.kept").integer(0, 0) == 5)
    }

    /// The failure is that of the statement that failed, and what follows it has not happened.
    @Test func theFirstFailureIsTold() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE keyed (k bigint PRIMARY KEY CHECK (k < 10))")
        try connection.execute("BEGIN")
        try connection.write("INSERT INTO pg_temp.keyed VALUES ($1)", parameters(1))
        try connection.write("INSERT INTO pg_temp.keyed SELECT $1", parameters(1))
        try connection.write("INSERT INTO pg_temp.keyed VALUES ($1)", parameters(11))
        let asked = try connection.sendQuery("SELECT count(*) FROM pg_temp.keyed")
        let taken = failure { _ = try connection.rows(of: asked) }
        #expect(taken?.kind == .io)
        #expect(taken?.message.contains("table keyed has the same key already (Key (k)=(1) already exists.)") == true)
        #expect(failure { _ = try connection.rows(of: asked) } != nil)
        #expect(connection.isInTransaction)
        try connection.execute("ROLLBACK")
        // What was not prepared since something before it had failed is prepared now.
        #expect(try connection.query("SELECT count(*) FROM pg_temp.keyed").integer(0, 0) == 0)
        try connection.write("INSERT INTO pg_temp.keyed VALUES ($1)", parameters(11))
        let refused = failure { try connection.awaitAnswers() }
        #expect(refused?.kind == .definition)
        #expect(refused?.message.contains("in: INSERT INTO pg_temp.keyed VALUES ($1)") == true)
        #expect(failure { try connection.query("SELECT nothing_there") }?.kind == .defect)
        #expect(failure { try connection.query("SELECT nothing_there") }?.kind == .defect)
        #expect(try connection.query("SELECT 1").integer(0, 0) == 1)
    }

    @Test func whatLooksAtAnAnswerMayRefuseIt() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE few (k bigint)")
        try connection.execute("BEGIN")
        try connection.write("INSERT INTO pg_temp.few VALUES (1)")
        try connection.write("UPDATE pg_temp.few SET k = 2 WHERE k = 9") { rows throws(Failure) in
            if rows.changed != 1 { throw Failure(.io, "somebody has taken it away") }
        }
        try connection.write("INSERT INTO pg_temp.few VALUES (3)")
        #expect(failure { try connection.awaitAnswers() }?.message == "somebody has taken it away")
        try connection.execute("ROLLBACK")
        #expect(try connection.query("SELECT count(*) FROM pg_temp.few").integer(0, 0) == 0)
    }

    /// Neither side waits for the other to take what it has, where both have more than there is room for between them.
    @Test func bothSidesHaveMuchToSay() throws {
        let connection = try connect()
        var parameters = Parameters()
        defer { parameters.deallocate() }
        parameters.add(String(repeating: "x", count: 300_000))
        let answers = try (0..<100).map { _ in try connection.sendQuery("SELECT $1 || 'y'", parameters) }
        for answer in answers { #expect(try connection.rows(of: answer).text(0, 0).utf8.count == 300_001) }
    }

    @Test func rowsAreCopiedBetweenOtherStatements() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE copied (k bigint)")
        var rows = CopyBuffer()
        defer { rows.deallocate() }
        var copied = 0
        for number in 1...3 {
            try connection.write("INSERT INTO pg_temp.copied VALUES ($1)", parameters(Int64(number)))
            rows.begin(columns: 1)
            for row in 0..<10 { rows.appendRow { $0.appendField(Int64(row)) } }
            rows.end()
            try connection.copy("COPY pg_temp.copied FROM STDIN (FORMAT binary)", rows) { copied += $0.changed }
        }
        #expect(try connection.query("SELECT count(*) FROM pg_temp.copied").integer(0, 0) == 33)
        #expect(copied == 30)
    }

    @Test func aCancelledStatementEndsWhatFollows() throws {
        let isCancelled = Atomic(false)
        let connection = try connect(isCancelled: { isCancelled.load(ordering: .relaxed) })
        Thread.detachNewThread {
            usleep(200_000)
            isCancelled.store(true, ordering: .relaxed)
        }
        try connection.execute("BEGIN")
        try connection.write("SELECT pg_sleep(100)")
        try connection.write("SELECT pg_sleep(100)")
        #expect(failure { try connection.awaitAnswers() }?.kind == .cancelled)
        connection.disarm()
        #expect(connection.isAlive && connection.isInTransaction)
        try connection.execute("ROLLBACK")
    }

    @Test func aLostConnection() throws {
        let (one, other) = (try connect(), try connect())
        let pid = one.process
        try one.write("SELECT pg_sleep(0.01)")
        let asked = try one.sendQuery("SELECT pg_sleep(100)::text")
        try one.requestFlush()
        try other.execute("SELECT pg_terminate_backend(\(pid))")
        #expect(failure { _ = try one.rows(of: asked) }?.kind == .unavailable)
        #expect(failure { try one.query("SELECT 1") }?.kind == .unavailable)
        #expect(!one.isAlive)
    }
}
