import Foundation
import TestSupport
import Testing

/// That a service is asked again is in the log, with the reason and what is waited.
struct RetryLogTests {
    private func run(_ more: [String] = []) throws -> (errors: String, url: String) {
        let service = FaultyServer.shared.service(
            #"{"status":503,"body":"no"}"#, #"{"items":9,"cut":100}"#, #"{"items":9}"#)
        let scene = try WebScene(service.member)
        let outcome = try Sluice.run(["run", scene.definition] + more, environment: scene.environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return (outcome.errors, service.url)
    }

    @Test func asText() throws {
        let (errors, url) = try run()
        let lines = errors.split(separator: "\n")
        try #require(lines.count == 2, "\(errors)")
        let sentence = "answered with status 503: no; it is asked again in [0-9]+ ms \\(1 of 5\\)"
        #expect(lines[0].contains(try Regex("^sluice: \(url) \(sentence)$")))
        #expect(lines[1].hasPrefix("sluice: \(url) broke off: "), "\(lines[1])")
    }

    @Test func asJSON() throws {
        let (errors, url) = try run(["--log", "json"])
        let lines = try errors.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let retries = lines.filter { $0["service"] != nil }
        #expect(retries.map { $0["service"] as? String } == [url, url])
        #expect(retries.first?["reason"] as? String == "answered with status 503")
        #expect(retries.map { $0["words"] as? String } == ["no", nil])
        #expect(retries.first?["failures"] as? Int == 1 && retries.first?["retries"] as? Int == 5)
        #expect(retries.allSatisfy { $0["wait"] is Double && $0["level"] as? String == "info" })
    }

    @Test(arguments: [["--quiet"], ["--show", "news"]])
    func notWhereNothingIsToBeSaid(_ options: [String]) throws { #expect(try run(options).errors.isEmpty) }

    /// A log for programs has it all.
    @Test func aLogHasIt() throws {
        #expect(try run(["--show", "news", "--log", "json"]).errors.contains("\"failures\""))
    }
}
