import Foundation
import TestSupport
import Testing

/// Drafts of what a web service answers: who asks, and in which pages.
@Suite struct InitServiceTests {
    private let folder = TemporaryFolder()

    private static func page(_ first: Int, next: String) -> String {
        let items = (first..<(first + 3)).map { #"{\"id\": \#($0), \"name\": \"n\#($0)\"}"# }.joined(separator: ", ")
        let link = next.isEmpty ? "" : #", "headers": [["Link", "<\#(next)>; rel=\"next\""]]"#
        return #"{ "body": "[\#(items)]"\#(link) }"#
    }

    @Test func aTokenAndPages() throws {
        let service = FaultyServer.shared.service(
            InitServiceTests.page(1, next: "?page=2"), InitServiceTests.page(1, next: "?page=2"),
            InitServiceTests.page(4, next: ""))
        let definition = folder.file("items.jsonc")
        let draft = try Sluice.run([
            "init", service.url, "--output", definition, "--header",
            "Authorization: Bearer geheim-0815",
            "--header", "Accept: application/json", "--header", "X-Tenant: mandant-7",
        ])
        #expect(draft.status == 0, "\(draft.errors)")
        #expect(draft.errors.contains("API_TOKEN, X_TENANT"), "\(draft.errors)")
        let text = try String(contentsOfFile: definition, encoding: .utf8)
        #expect(
            text.contains(#""auth": { "bearer": "${API_TOKEN}" }"#) && text.contains(#""pages": { "link": "next" }"#))
        #expect(text.contains(#""headers": { "Accept": "application/json", "X-Tenant": "${X_TENANT}" }"#))
        #expect(!(text + draft.output + draft.errors).contains("geheim"))
        // The first records are asked for with what --header says; the next page is on its way by then, or is not.
        #expect((2...3).contains(service.requests.count) && draft.output.contains("n1"), "\(draft)")
        let night = FaultyServer.shared.service(
            InitServiceTests.page(1, next: "?page=2"), InitServiceTests.page(4, next: ""))
        _ = try folder.write("items.jsonc", text.replacing(service.url, with: night.url))
        let run = try Sluice.run(
            ["run", definition, "--store", folder.file("items.sqlite")],
            environment: ["API_TOKEN": "geheim-0815", "X_TENANT": "mandant-7"])
        #expect(run.status == 0, "\(run.errors)")
        // The service is called by chance; so is the entity.
        let entity = try #require(text.firstMatch(of: /"entities": \{\n *\/\/ .*\n *"(\w+)"/)).1
        #expect(try Database(folder.file("items.sqlite")).integer("SELECT count(*) FROM \"\(entity)\"") == 6)
        #expect(night.requests.count == 2)
        for request in service.requests + night.requests {
            #expect(request.headers["authorization"] == "Bearer geheim-0815")
            #expect(request.headers["x-tenant"] == "mandant-7")
            #expect(request.headers["accept"] == "application/json")
        }
    }

    private static func contacts(_ name: String, next: Bool) -> String {
        let items = (1...3).map { #"{\"id\": \#($0), \"name\": \"\#(name)\#($0)\"}"# }.joined(separator: ", ")
        let paging = next ? #", \"paging\": {\"next\": {\"after\": \"3\"}}"# : ""
        return #"{ "body": "{\"results\": [\#(items)]\#(paging)}" }"#
    }

    private func draft(_ services: [FaultyService], _ options: [String] = []) throws -> String {
        let definition = folder.file("draft.jsonc")
        let outcome = try Sluice.run(["init"] + services.map(\.url) + ["--output", definition] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let checked = try Sluice.run(["check", definition], environment: ["API_TOKEN": "geheim"])
        #expect(checked.status == 0, "\(checked.errors)")
        return try String(contentsOfFile: definition, encoding: .utf8).replacing(#/\n *// /#, with: " ")
    }

    /// An answer that names no next page today has the pages of another answer of its service.
    @Test func pagesOfASibling() throws {
        let services = [true, false].map { FaultyServer.shared.service(InitServiceTests.contacts("n", next: $0)) }
        let text = try draft(services)
        #expect(text.components(separatedBy: #""pages": { "cursor": "$.paging.next.after""#).count == 3, "\(text)")
        let guess = "it names no next page today, and that there are pages as of \(services[0].url) is guessed."
        #expect(text.contains("Of \(services[1].url), one answer was read: \(guess)"), "\(text)")
    }

    /// An answer of another shape has its own pages, or none: a comment says that it names none today.
    @Test func anAnswerThatNamesNoPage() throws {
        let other = FaultyServer.shared.service(InitServiceTests.page(1, next: ""))
        let text = try draft([FaultyServer.shared.service(InitServiceTests.contacts("n", next: true)), other])
        #expect(text.components(separatedBy: #""pages": {"#).count == 2, "\(text)")
        #expect(text.contains("Of \(other.url), one answer was read, which names no next page today"), "\(text)")
    }

    /// As a run does, init says that a service is asked again.
    @Test func aServiceThatFailsIsAskedAgainAloud() throws {
        let service = FaultyServer.shared.service(#"{"status":503,"body":"no"}"#, #"{"items":30}"#)
        let outcome = try Sluice.run(["init", service.url])
        #expect(outcome.status == 0 && outcome.errors.contains("it is asked again in"), "\(outcome.errors)")
    }

    /// An author without credentials is told which option sends them, and one who mistypes waits for two attempts.
    @Test func authorsAreToldAtOnce() throws {
        let folder = TemporaryFolder()
        let refused = try Sluice.run([
            "init", FaultyServer.shared.service(#"{"status":401,"body":"no"}"#).url, "-o", folder.file("a.jsonc"),
        ])
        #expect(refused.status == 77)
        #expect(
            refused.errors.contains(#"(sent no credentials: --header "Authorization: Bearer …" sends them)"#),
            "\(refused.errors)")
        let service = FaultyServer.shared.service(#"{"status":503}"#)
        #expect(try Sluice.run(["init", service.url, "-o", folder.file("b.jsonc")]).status == 69)
        #expect(service.requests.count == 3)
    }

    @Test func whereHeadersAreIsSaidOnce() throws {
        let services = (0..<2).map { _ in FaultyServer.shared.service(InitServiceTests.contacts("n", next: false)) }
        let text = try draft(services, ["--header", "Authorization: Bearer geheim"])
        #expect(text.components(separatedBy: "What --header says").count == 2, "\(text)")
        #expect(text.components(separatedBy: #""auth": { "bearer": "${API_TOKEN}" }"#).count == 3, "\(text)")
    }

    @Test(arguments: ["Authorization", ": x", "A B: x", "A:", "A: x\u{7}"]) func whatIsNoHeader(text: String) throws {
        let outcome = try Sluice.run(["init", "https://example.invalid/x.json", "--header", text])
        #expect(
            outcome.status == 64 && outcome.errors.contains("--header takes a name and a value"), "\(outcome.errors)")
    }

    /// What an answer says where nothing went wrong, the next one is to say, too.
    @Test func anAnswerThatSaysAnErrorFailsTheRun() throws {
        let items = #"[{\"id\": 1, \"n\": \"a\"}, {\"id\": 2, \"n\": \"b\"}]"#
        let page = #"{ "body": "{\"status\": \"ok\", \"items\": \#(items)}" }"#
        let error = #"{ "body": "{\"status\": \"overloaded\", \"items\": []}" }"#
        let service = FaultyServer.shared.service(page, error)
        let text = try draft([service])
        #expect(text.contains(#""fails": { "where": { "$.status": { "present": true, "not": "ok" } } }"#), "\(text)")
        let run = try Sluice.run(["run", folder.file("draft.jsonc"), "--store", folder.file("fails.sqlite")])
        #expect(run.status == 65 && run.errors.contains("overloaded"), "\(run.errors)")
        let other = FaultyServer.shared.service(InitServiceTests.contacts("a", next: true))
        try FileManager.default.removeItem(atPath: folder.file("draft.jsonc"))
        #expect(try draft([other]).contains("says that all went well"))
    }
}
