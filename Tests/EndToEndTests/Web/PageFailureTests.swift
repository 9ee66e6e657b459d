import TestSupport
import Testing

/// What fails at a page names it: pages have one address, but for what may be secret.
struct PageFailureTests {
    private static let page = #"{"body":"{\"items\":[{\"id\":1}]}"}"#

    private func run(_ steps: String..., retries: Int = 1) throws -> (errors: String, url: String, status: Int32) {
        let service = FaultyServer.shared.service([PageFailureTests.page] + steps)
        let scene = try WebScene(
            "\(service.member), \"retries\": \(retries), \"pages\": { \"number\": \"page\" }")
        let outcome = try scene.run()
        return (outcome.errors, service.url, outcome.status)
    }

    private static let failures: [(step: String, message: String, status: Int32)] = [
        (#"{"status":500}"#, " answered with status 500 (tried 2 times)", 69),
        (#"{"status":404,"body":"gone"}"#, " answered with status 404: gone", 66),
        (#"{"status":403,"body":"no"}"#, " answered with status 403: no", 77),
        (#"{"status":422}"#, " answered with status 422", 69),
        (#"{"items":9,"cut":20}"#, " broke off", 69),
        (#"{"body":"{\"items\":[{]}"}"#, ":1:", 65),
        (#"{"status":302,"headers":[["Location","ftp://x/"]]}"#, " redirects to an address", 69),
        (#"{"body":"<html>","headers":[["Content-Type","text/html"]]}"#, " answered with text/html", 65),
    ]

    @Test(arguments: failures)
    func aFailureNamesItsPage(_ step: String, _ message: String, _ status: Int32) throws {
        let outcome = try run(step)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains("\(outcome.url) (page 2)\(message)"), "\(outcome.errors)")
    }

    /// Of the first page the address says all that there is to say.
    @Test func theFirstPageIsTheService() throws {
        let service = FaultyServer.shared.service(#"{"status":404}"#)
        let outcome = try WebScene("\(service.member), \"pages\": { \"number\": \"page\" }").run()
        #expect(outcome.errors.contains("\(service.url) answered with status 404"), "\(outcome.errors)")
    }

    /// The log of a retry, in both forms.
    @Test func aRetryNamesItsPage() throws {
        let steps = [PageFailureTests.page, #"{"status":429}"#, #"{"items":0}"#]
        let service = FaultyServer.shared.service(steps)
        let scene = try WebScene("\(service.member), \"pages\": { \"number\": \"page\" }")
        let text = try scene.run().errors
        #expect(text.contains("\(service.url) (page 2) answered with status 429; it is asked again"), "\(text)")
        service.post("[\(steps.joined(separator: ","))]")
        let lines = try scene.run("--log", "json").errors
        #expect(lines.contains("\"service\": \"\(service.url)\", \"page\": 2, \"reason\""), "\(lines)")
    }
}
