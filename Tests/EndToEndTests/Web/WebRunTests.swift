import Foundation
import TestSupport
import Testing

/// Whatever a service does, the store is that of a clean download, or as it was.
struct WebRunTests {
    private static let good = #"{"items":900}"#

    @Test(arguments: [
        [#"{"items":900,"encoding":"gzip"}"#], [#"{"items":900,"chunked":true,"piece":100}"#],
        [#"{"items":900,"cut":10000}"#, good],
        [#"{"items":900,"cut":10000,"range":true,"headers":[["ETag","\"a\""]]}"#],
        [#"{"items":900,"cut":3000,"encoding":"gzip"}"#, #"{"items":900,"cut":20000}"#, good],
        [#"{"status":500}"#, #"{"status":429,"headers":[["Retry-After","1"]]}"#, #"{"status":503,"date":1}"#, good],
        [#"{"items":900,"cut":20000,"stall":9}"#, good], [#"{"items":900,"length":99999,"cut":99999}"#, good],
    ])
    func faultsLeaveNoTrace(_ steps: [String]) throws {
        let service = FaultyServer.shared.service(steps)
        let scene = try WebScene("\(service.member), \"timeout\": \"400ms\"")
        let outcome = try scene.run("--batch-size", "7")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.contents == WebScene.clean(900))
        let source = (outcome.report["sources"] as? [String: [String: Any]])?["main"]
        #expect(source?["location"] as? String == service.url)
        #expect(source?["values"] as? Int == 1)
    }

    private static let refusals: [(String, Int32, String)] = [
        (#"{"status":401,"body":"who are you?"}"#, 77, "status 401: who are you?"),
        (#"{"status":403}"#, 77, "status 403"), (#"{"status":404}"#, 66, "status 404"),
        (#"{"status":410}"#, 66, "status 410"), (#"{"status":418}"#, 69, "status 418"),
        (#"{"status":500}"#, 69, "status 500"), (#"{"items":900,"cut":20000}"#, 69, "broke off"),
        (#"{"items":900,"encoding":"gzip","always":true,"flush":20000}"#, 69, "broke off"),
        (#"{"items":900,"encoding":"gzip","damage":-6,"always":true}"#, 69, "damaged"),
        (#"{"items":900,"encoding":"gzip","says":"br"}"#, 69, "Content-Encoding br"),
        (#"{"items":900,"delay":9}"#, 69, "silent"), (#"{"body":"<html>"}"#, 65, "HTML"),
        (#"{"body":""}"#, 65, "empty"),
        (#"{"body":"{\"items\":[{\"id\":1},"}"#, 65, "feed"),
        (#"{"body":"{}","headers":[["Content-Type","text/html"]]}"#, 65, "text/html"),
        (#"{"endless":"body","unframed":true}"#, 65, "maxBytes"), (#"{"endless":"headers"}"#, 69, "headers"),
        (#"{"status":302,"headers":[["Location","?again"]]}"#, 69, "redirects more than"),
        (#"{"status":302,"headers":[["Location","ftp://127.0.0.1/"]]}"#, 69, "redirects to an address"),
    ]

    @Test(arguments: refusals, StoreState.allCases)
    func failuresChangeNothing(_ refusal: (String, Int32, String), _ state: StoreState) throws {
        let service = FaultyServer.shared.service(#"{"items":50}"#)
        let scene = try WebScene(
            "\(service.member), \"timeout\": \"300ms\", \"retries\": 2, \"maxBytes\": \"1 MB\"")
        if state == .existing { #expect(try scene.run().status == 0) }
        let before = try state == .existing ? Database(scene.store).snapshot() : []
        let names = scene.folder.names
        service.post("[\(refusal.0)]")
        let outcome = try scene.run("--batch-size", "7")
        #expect(outcome.status == refusal.1)
        #expect(outcome.errors.contains(refusal.2) && outcome.errors.contains(service.url), "\(outcome.errors)")
        #expect(scene.folder.names == names)
        if state == .existing { #expect(try Database(scene.store).snapshot() == before) }
    }

    /// A compressed sequence that is cut between two lines looks whole to everybody but who looks for its end.
    @Test(arguments: ["gzip", "deflate"], [true, false])
    func partOfASequenceIsNoFeed(_ coding: String, _ isMended: Bool) throws {
        let lines = (0..<600).map { #"{\"id\":\#(100 + $0)}\n"# }
        let step = #""body":"\#(lines.joined())","encoding":"\#(coding)","always":true,"headers":[["ETag","\"a\""]]"#
        let cut = #"{\#(step),"flush":\#(300 * 11)}"#
        let service = FaultyServer.shared.service(isMended ? [cut, "{\(step)}"] : [cut])
        let scene = try WebScene("\(service.member), \"format\": \"lines\", \"retries\": 1", records: "$")
        let outcome = try scene.run()
        if !isMended {
            #expect(outcome.status == 69 && outcome.errors.contains("broke off"), "\(outcome.errors)")
            #expect(scene.folder.names == ["items.jsonc"])
            service.post("[{\(step)}]")
            #expect(try scene.run().status == 0)
            #expect(service.requests.allSatisfy { $0.headers["if-none-match"] == nil })
        }
        #expect(try Database(scene.store).rows("SELECT count(*) FROM Item") == [["600"]])
    }

    /// What came whole is a feed; that its last part is no JSON is a mistake in it, with its place.
    @Test func mistakesInAFeedHaveAPlace() throws {
        let service = FaultyServer.shared.service(#"{"body":"{\"items\":[\n{\"id\":x}]}"}"#)
        let outcome = try WebScene(service.member).run()
        #expect(outcome.status == 65 && outcome.errors.contains("\(service.url):2:7"), "\(outcome.errors)")
    }

    @Test func rejectsCarryTheirRecords() throws {
        let page = { (id: Int, next: String) in
            #"{"body":"{\"items\":[{\"id\":\#(id)},{\"id\":\"x\#(id)\"}],\"next\":\#(next)}"}"#
        }
        let service = FaultyServer.shared.service(page(1, "\\\"?2\\\""), page(2, "\\\"?3\\\""), page(3, "null"))
        let scene = try WebScene("\(service.member), \"pages\": { \"next\": \"$.next\" }")
        let outcome = try scene.run("--findings", scene.folder.file("findings"))
        #expect(outcome.status == 65)
        let rejects = try String(contentsOfFile: scene.folder.file("findings"), encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("\"kind\": \"reject\"") }
        #expect(rejects.count == 3)
        for (index, reject) in rejects.enumerated() {
            #expect(reject.contains(#""file": "\#(service.url) (page \#(index + 1))""#), "\(reject)")
            #expect(reject.contains(#""record": {"id":"x\#(index + 1)"}"#), "\(reject)")
        }
    }

    /// A replay names the pages as the run did: in findings, and where records take the name of their file.
    @Test func aReplayNamesPagesAsTheRunDid() throws {
        let page = { (id: Int, next: String) in
            #"{"body":"{\"items\":[{\"id\":\#(id)},{\"id\":\"x\"}],\"next\":\#(next)}"}"#
        }
        let service = FaultyServer.shared.service(page(1, "\\\"?2\\\""), page(2, "null"))
        let scene = try WebScene(
            "\(service.member), \"pages\": { \"next\": \"$.next\" }",
            settings: #""archive": { "directory": "archive" }, "limits": { "rejects": null },"#)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc",
            text.replacing(#""name": "text""#, with: #""name": { "type": "text", "from": "$file" }"#))
        let first = try scene.run("--findings", scene.folder.file("run"))
        #expect(first.status == 0, "\(first.errors)")
        let other = scene.folder.file("other.sqlite")
        let replayed = try Sluice.run([
            "replay", scene.definition, "--run", "1", "--store", other, "--findings", scene.folder.file("replay"),
        ])
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(try Database(other).contents()["Item"] == scene.contents["Item"])
        let rejects = try ["run", "replay"].map { name in
            try String(contentsOfFile: scene.folder.file(name), encoding: .utf8).split(separator: "\n")
                .filter { $0.contains("\"kind\": \"reject\"") }
        }
        #expect(rejects[0] == rejects[1] && rejects[0].count == 2, "\(rejects)")
    }

    // MARK: Pages

    private static let styles = [
        #"{ "next": "$.next" }"#, #"{ "link": "next" }"#, #"{ "cursor": "$.next", "parameter": "c" }"#,
        #"{ "number": "page", "last": 5 }"#, #"{ "offset": "from", "limit": ["size", 100] }"#,
    ]

    @Test(arguments: styles)
    func pagesAreLoadedLikeOneFeed(_ style: String) throws {
        let steps = (0..<5).map { page in
            let list = (page * 100..<page * 100 + 100).map {
                #"{\"id\":\#($0),\"name\":\"item \#($0)\",\"parent\":\#($0 / 2)}"#
            }
            let next = page == 4 ? "null" : "\\\"?p=\(page + 2)\\\""
            let link = page == 4 ? "" : #","headers":[["Link","<?p=\#(page + 2)>; rel=next"]]"#
            return #"{"body":"{\"items\":[\#(list.joined(separator: ","))],\"next\":\#(next)}"\#(link)}"#
        }
        let service = FaultyServer.shared.service(steps + [#"{"body":"{\"items\":[]}"}"#])
        let scene = try WebScene("\(service.member), \"pages\": \(style)")
        let outcome = try scene.run("--batch-size", "33")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.contents == WebScene.clean(500))
        #expect(outcome.count("Item", "records") == 500)
    }

    /// A page is empty if it has no records, not if they do not count.
    @Test func aPageOfOthersIsNotTheLast() throws {
        let page = { (ids: String) in #"{"body":"{\"items\":[\#(ids)]}"}"# }
        let service = FaultyServer.shared.service(
            page(#"{\"id\":1,\"name\":\"a\"}"#), page(#"{\"id\":2,\"name\":\"b\"}"#),
            page(#"{\"id\":3,\"name\":\"a\"}"#),
            page(""), #"{"status":404}"#)
        let scene = try WebScene(
            "\(service.member), \"pages\": { \"number\": \"page\" }", entity: #", "where": { "name": "a" }"#)
        #expect(try scene.run().status == 0)
        #expect(try Database(scene.store).rows("SELECT id FROM Item ORDER BY 1") == [["1"], ["3"]])
    }

    /// Pages of two items each, with more members of each page.
    private func paged(_ pages: [String], _ paging: String) throws -> Sluice.Outcome {
        let steps = pages.enumerated().map { index, members in
            let body = #"{\"items\":[{\"id\":\#(2 * index)},{\"id\":\#(2 * index + 1)}]\#(members)}"#
            return #"{"body":"\#(body)"}"#
        }
        let service = FaultyServer.shared.service(steps + [#"{"body":"{\"items\":[]}"}"#])
        return try WebScene("\(service.member), \"pages\": \(paging)").run()
    }

    /// A first page that is full, or has another member that leads on, and leads nowhere: the way to the next one may
    /// have another name by now.
    @Test(arguments: [
        (#"{ "next": "$.nxt", "size": 2 }"#, "pages.next $.nxt"),
        (#"{ "cursor": "$.nxt", "parameter": "c", "size": 2 }"#, "pages.cursor $.nxt"),
        (#"{ "link": "next", "size": 2 }"#, "pages.link next"),
        (#"{ "next": "$.nxt", "size": 3 }"#, "pages.next $.nxt"), (#"{ "next": "$.nxt" }"#, "pages.next $.nxt"),
        (#"{ "next": "$.end", "size": 2 }"#, nil),
        (#"{ "next": "$.end", "total": "$.none" }"#, "pages.total $.none"),
    ])
    func aWayThatIsNowhereIsTold(_ paging: String, _ expected: String?) throws {
        let outcome = try paged([#",\"next\":\"?2\",\"end\":null"#], paging)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let unmatched = examples.filter { $0["kind"] as? String == "unmatched" }
        #expect(unmatched.allSatisfy { $0["entity"] is NSNull && $0["source"] as? String == "main" })
        let words = unmatched.map { "\($0["reason"] ?? "") \($0["path"] ?? "")" }
        #expect(words == (expected.map { [$0] } ?? []))
    }

    @Test(arguments: [
        ([6, 6, 6], #"{ "number": "p", "total": "$.t" }"#, nil), ([9, 9, 9], #"{ "number": "p", "total": "$.t" }"#, 9),
        ([9, 9, 6], #"{ "number": "p", "total": "$.t" }"#, nil), ([5, 5, 7], #"{ "number": "p", "total": "$.t" }"#, 7),
        ([9, 9, 9], #"{ "number": "p", "total": "$.t", "last": 3 }"#, nil),
        ([9, 9, 9], #"{ "number": "p", "total": "$.u" }"#, nil),
    ])
    func whatAServicePromisesMustCome(_ totals: [Int], _ paging: String, _ promised: Int?) throws {
        let outcome = try paged(totals.map { #",\"t\":\#($0)"# }, paging)
        #expect(outcome.status == (promised == nil ? 0 : 65), "\(outcome.errors)")
        guard let promised else { return }
        #expect(outcome.errors.contains("has \(promised) records") && outcome.errors.contains("only 6 came"))
    }

    /// Where something has gone while pages were read, what came behind it has moved to a page that was read before.
    @Test(arguments: [(4, 0), (3, 1)]) func aListThatHasMovedLeavesNothingAbsent(_ first: Int, _ deleted: Int) throws {
        func page(_ total: Int, _ ids: Int...) -> String {
            let items = ids.map { #"{\"id\":\#($0)}"# }.joined(separator: ",")
            return #"{"body":"{\"t\":\#(total),\"items\":[\#(items)]}"}"#
        }
        let before = [page(4, 1, 2), page(4, 3, 4), page(4)]
        let service = FaultyServer.shared.service(before + [page(first, 1, 2), page(3, 4), page(3)])
        let scene = try WebScene(
            "\(service.member), \"pages\": { \"number\": \"p\", \"total\": \"$.t\" }", entity: #", "absent": "delete""#)
        #expect(try scene.run().status == 0)
        let outcome = try scene.run("--allow", "deletes=9")
        let entity = (outcome.report["entities"] as? [String: [String: Any]])?.values.first
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            entity?["deleted"] as? Int == deleted && entity?["keptAbsent"] as? Int == 1 - deleted, "\(outcome.output)")
    }

    @Test(arguments: ["true", "[]", #"\"many\""#, "-1", "1.5", "1e30"])
    func whatIsNoNumberIsNoPromise(_ value: String) throws {
        let outcome = try paged([#",\"t\":\#(value)"#], #"{ "number": "p", "total": "$.t" }"#)
        #expect(outcome.status == 65 && outcome.errors.contains("$.t is no number of records"), "\(outcome.errors)")
    }

    /// What a service counts are the records of its list, not what is in them, nor what is left of them.
    @Test func theListIsWhatCounts() throws {
        let service = FaultyServer.shared.service(
            #"{"body":"{\"t\":3,\"items\":[{\"id\":1,\"name\":\"a\"},{\"id\":2},{\"id\":3,\"of\":[{\"id\":4},{\"id\":5}]}]}"}"#,
            #"{"body":"{\"items\":[]}"}"#)
        let scene = try WebScene(
            "\(service.member), \"pages\": { \"number\": \"p\", \"total\": \"$.t\" }",
            entity: """
                , "where": { "name": "a" } },
                "Part": { "records": "$.items[*].of[*]", "identifier": "id", "attributes": { "id": "integer" }
                """)
        #expect(try scene.run().status == 0)
    }

    /// A service that is asked only for what is new may have nothing.
    @Test func nothingMayBeNew() throws {
        let item = #"{\"id\":1,\"changed\":\"2026-01-01T00:00:00Z\"}"#
        let service = FaultyServer.shared.service(
            #"{"body":"{\"items\":[\#(item)]}"}"#, #"{"body":"{\"items\":[]}"}"#)
        let scene = try WebScene(
            "\(service.member), \"since\": { \"parameter\": \"s\", \"attribute\": \"Item.changed\" }")
        #expect(try scene.run().status == 0)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        service.post(#"[{"body":"{\"error\":\"quota\"}"}]"#)
        let plain = try WebScene(service.member)
        let refused = try plain.run()
        #expect(refused.status == 65 && refused.errors.contains("says \"quota\" (`error`)"), "\(refused.errors)")
    }

    @Test func circlesLeaveTheStoreAsItWas() throws {
        let service = FaultyServer.shared.service(
            #"{"body":"{\"items\":[{\"id\":1}],\"next\":\"?2\"}"}"#,
            #"{"body":"{\"items\":[{\"id\":2}],\"next\":\"?2\"}"}"#)
        let scene = try WebScene("\(service.member), \"pages\": { \"next\": \"$.next\" }")
        let outcome = try scene.run()
        #expect(outcome.status == 65 && outcome.errors.contains("goes round"), "\(outcome.errors)")
        #expect(scene.folder.names == ["items.jsonc"])
    }

    // MARK: Several sources

    @Test(arguments: [1, 2, 5])
    func sourcesAreLoadedInTheirOrder(_ parallel: Int) throws {
        let folder = TemporaryFolder()
        let services = (0..<5).map { index in
            FaultyServer.shared.service(
                #"{"body":"{\"items\":[{\"id\":1,\"name\":\"source \#(index)\"}]}","delay":0.\#(5 - index)}"#)
        }
        let sources = services.enumerated().map { "\"s\($0)\": { \($1.member), \"parallel\": \(parallel) }" }
        let definition = try folder.write(
            "p.jsonc",
            """
            { "sources": { \(sources.joined(separator: ", ")) }, "store": { "sqlite": "s.sqlite" },
              "entities": { "Item": { "source": ["s0", "s1", "s2", "s3", "s4"], "records": "$.items[*]",
                "identifier": "id", "attributes": { "id": "integer", "name": "text" } } } }
            """)
        let start = Date()
        #expect(try Sluice.run(["run", definition]).status == 0)
        #expect(try Database(folder.file("s.sqlite")).rows("SELECT name FROM Item") == [["source 4"]])
        // One after the other they take 1.5 seconds at the least.
        if parallel == 1 { #expect(Date().timeIntervalSince(start) >= 1.5) }
    }

    // MARK: What is around

    @Test func proxyIsTakenFromTheEnvironment() throws {
        let service = FaultyServer.shared.service(#"{"items":9}"#)
        let url = service.url.replacing(/127.0.0.1:\d+/, with: "no-such-host.invalid")
        let scene = try WebScene("\"url\": \"\(url)\", \"retries\": 0")
        scene.environment["http_proxy"] = service.url.replacing(/\/[^\/]+$/, with: "")
        #expect(try scene.run().status == 0)
        #expect(service.requests.map(\.target) == [url])
        scene.environment["no_proxy"] = "no-such-host.invalid"
        #expect(try scene.run().status == 69)
    }

    /// A run that fails does not wait for a service that has nothing more to say.
    @Test func failedRunDoesNotWait() throws {
        let service = FaultyServer.shared.service(
            #"{"body":"{\"items\":[{\"id\":x},              ","cut":30,"stall":60}"#)
        let scene = try WebScene("\(service.member), \"timeout\": \"1m\"")
        let start = Date()
        #expect(try scene.run().status == 65)
        #expect(Date().timeIntervalSince(start) < 20)
    }

    // MARK: What a command needs

    @Test func variablesOfTheServiceAreNeededOnlyToAskIt() throws {
        let scene = try WebScene(#""url": "https://${NO_SUCH_HOST}/", "auth": { "bearer": "${NO_SUCH_TOKEN}" }"#)
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": 1}]}"#)
        #expect(try scene.run("--feed", scene.folder.file("feed.json")).status == 0)
        let outcome = try scene.run()
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("NO_SUCH_HOST") && outcome.errors.contains("NO_SUCH_TOKEN"))
    }

    @Test func previewStopsEarly() throws {
        let service = FaultyServer.shared.service(#"{"items":9000,"cut":400000,"stall":30}"#)
        let scene = try WebScene(service.member)
        let start = Date()
        let outcome = try Sluice.run(["preview", scene.definition, "--rows", "2"])
        #expect(outcome.status == 0 && outcome.output.contains("item 1"), "\(outcome.errors)")
        #expect(Date().timeIntervalSince(start) < 20)
    }

    /// Of an answer without any record, what it says to people is told.
    @Test func whatAServiceSaysIsTold() throws {
        let service = FaultyServer.shared.service(
            #"{"body": "{\"status\": \"down\", \"message\": \"quota exceeded\"}"}"#)
        let outcome = try WebScene(service.member).run()
        let says = #"with the keys `status`, `message`; it says "quota exceeded" (`message`)"#
        #expect(outcome.status == 65 && outcome.errors.contains(says), "\(outcome.errors)")
    }
}
