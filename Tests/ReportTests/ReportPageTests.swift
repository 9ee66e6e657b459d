import ReportSupport
import SluiceRecords
import Testing

@testable import SluiceExtract
@testable import SluiceReport

/// The report as a page: whatever is in it stays text, and it needs nothing else.
@Suite struct ReportPageTests {
    static let hostile = [
        "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)", "' x='",
        "</style><b>", "<!--", "]]>", "&lt;b&gt;", "🚆 日本語", "\u{202E}txt", "\u{0}\u{1B}[31m", "</title><h1>",
    ]

    private func report(_ text: String) -> RunReport {
        var report = Fixture.report([
            Fixture.entity(text, [text, "r"]) { counts in
                (counts.records, counts.created, counts.rejected, counts.conflicting) = (100, 97, 2, 1)
                counts.stubs = 4
                counts.relationships[0].resolved = 5
                counts.relationships[0].late = 1
                counts.relationships[1].unresolved = 3
            },
            Fixture.entity("Empty"),
        ])
        report.task.pipeline = text
        report.task.store = text
        report.outcome.status = .failed
        report.outcome.error = Failure(.data, text, at: .init(file: text, line: 1, column: 2, offset: 3))
        report.outcome.exceeded = [ExceededLimit(.rejects, entity: text, allowed: 1, found: 2)]
        report.sources = [.init(name: text, location: text, bytes: 1000, values: 1, sha256: "00")]
        report.sources[0].unused = [.init(path: text, isNew: false)]
        report.found.feeds = [Feed(source: text, location: text, files: [text])]
        report.found.counts = [.reject: 21, .unresolved: 1, .duplicate: 1, .drift: 1, .unmatched: 1]
        var reject = Fixture.reject(1, text)
        reject.record = .whole(JSONText.quoted(text))
        reject.at.path = text
        var long = Fixture.reject(2)
        long.record = .tooLong(70_000)
        report.found.examples = [
            reject, long,
            Finding(
                entity: text, identifier: JSONText.quoted(text),
                detail: .unresolved(relationship: text, targets: [text], value: JSONText.quoted(text)), at: reject.at),
            Finding(
                entity: text, identifier: "1", detail: .duplicate(conflicting: true, differs: [text]), at: reject.at),
            Finding(
                entity: text, identifier: "null", detail: .drift(.missing(member: text), field: text, records: 0),
                at: reject.at),
            Finding(
                entity: text, identifier: "null", detail: .unmatched(.records, path: text), at: reject.at),
        ]
        return report
    }

    /// A page with all that there may be.
    private func page(_ text: String) -> String {
        let values = [(name: text, before: JSONText.quoted(text), after: "null")]
        return report(text).page(
            with: NightChanges(
                changes: [
                    .init(entity: text, identifier: JSONText.quoted(text), event: "changed", values: values),
                    .init(entity: text, identifier: "1", event: "deleted", values: []),
                ], isCut: true))
    }

    /// A list that nobody loads is news.
    @Test(arguments: [true, false]) func aNewListIsNews(isNew: Bool) {
        var report = Fixture.report([Fixture.entity("Stop")])
        report.earlier.compared = 4
        report.sources = [.init(name: "main", location: "f.json", bytes: 10, values: 1, sha256: "00")]
        report.sources[0].unused = [.init(path: "$.vendors", isNew: isNew)]
        let page = report.page(with: nil)
        #expect(page.contains("1 list at the top of the feed of which no entity has records: main: $.vendors</li>"))
        #expect(page.contains("Nothing new since run 4") == !isNew, "\(page)")
    }

    /// The tags of a page, in their order, without their attributes' values.
    private func tags(_ page: String) -> [String] {
        page.matches(of: /<[^>]*>/).map { String($0.output.replacing(/"[^"]*"/, with: "")) }
    }

    /// Whatever the texts, the page has the same elements, apart from where long words may break.
    @Test(arguments: hostile)
    func everythingStaysText(text: String) {
        #expect(tags(page(text)).filter { $0 != "<wbr>" } == tags(page("plain")))
        #expect(report(text).page.contains(HTMLText.escaped(text)))
    }

    /// Which findings the last succeeded run did not have, and that there are none.
    @Test func whatIsNewIsMarked() {
        var report = report("x")
        #expect(!report.page.contains(#"class="new""#) && !report.page.contains("Nothing new"))
        report.earlier.compared = 11
        report.found.examples[0].isNew = true
        #expect(report.page.contains(#"reject</span><span class="new">new</span></td>"#))
        #expect(report.page.contains("Marked as new: what run 11 did not have."))
        report.found.examples[0].isNew = false
        #expect(report.page.contains("Nothing new since run 11.") && !report.page.contains(#"class="new""#))
    }

    /// Of rejects, each reason stands once, with how many records it has.
    @Test func rejectsAreToldByTheirReasons() throws {
        var report = report("x")
        let reject = try #require(report.found.examples.first { $0.kind == .reject })
        report.found.examples = Array(repeating: reject, count: 3)
        report.found.counts = [.reject: 1004]
        report.found.rejectGroups = [
            RejectGroup(count: 1001, examples: [reject, reject]), RejectGroup(count: 2, examples: [reject]),
            RejectGroup(count: 1, examples: [reject]),
        ]
        let page = report.page
        #expect(page.components(separatedBy: "<span class=\"kind reject\">").count == 4)
        #expect(page.contains("And 1,000 more records for the same reason."))
        #expect(page.contains("And 1 more record for the same reason.") && !page.contains("These are"))
        report.found.counts = [.reject: 1005]
        #expect(report.page.contains("These are 3 of 1,005, at most 20 of a kind, and each reason of rejects once."))
    }

    /// Each kind of findings has a colour, in the list and in the table.
    @Test(arguments: Finding.Kind.allCases) func eachKindHasAColour(_ kind: Finding.Kind) {
        #expect(PageStyle.text.contains(".kind.\(kind.rawValue)::before"))
        #expect(PageStyle.text.contains("i.\(kind.rawValue)"))
    }

    @Test func whatIsEscaped() {
        #expect(
            HTMLText.escaped(#"<a b="c" d='e'>&"# + "\u{1B}")
                == "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\\u001b")
    }

    /// No element is left open.
    @Test func elementsAreClosed() {
        let void: Set = ["meta", "br", "wbr", "polygon", "polyline", "rect", "!DOCTYPE"]
        var open: [String] = []
        for tag in tags(page("x")) {
            let name = String(tag.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "!" })
            if name.hasPrefix("/") {
                #expect(open.popLast() == String(name.dropFirst()), "\(tag)")
            } else if !void.contains(name) {
                open.append(name)
            }
        }
        #expect(open.isEmpty)
    }

    @Test func nothingIsLoaded() {
        let page = page("plain")
        for word in ["http:", "https:", "src=", "href=", "url(", "@import", "//"] {
            #expect(!page.contains(word), "\(word)")
        }
    }

    /// The page permits this script only, by its digest.
    @Test func theScriptIsTheOneThatIsPermitted() throws {
        let hexadecimal = Array(try SHA256.digest(of: PageScript.text))
        let bytes = stride(from: 0, to: hexadecimal.count, by: 2).map { index in
            UInt8(String(hexadecimal[index...index + 1]), radix: 16) ?? 0
        }
        #expect(PageScript.digest == "sha256-\(base64(bytes))")
        #expect(report("x").page.contains("<script>\(PageScript.text)</script>"))
    }

    private func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
            text += (0...group.count).map { String(letters[bits >> (18 - 6 * $0) & 63]) }.joined()
            text += String(repeating: "=", count: 3 - group.count)
        }
        return text
    }

    @Test func whatIsWrongComesBeforeWhatWasDone() throws {
        let page = report("x").page
        let places = ["class=\"attention\"", "<h2>Entities", "<h2>Findings", "<h2>Sources"].map {
            page.range(of: $0)?.lowerBound
        }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        #expect(page.contains("These are the first 6 of 25"))
        #expect(!Fixture.report().page.contains("class=\"attention\""))
    }

    // MARK: The course

    private func course(_ count: Int) -> RunCourse {
        var course = RunCourse()
        for index in 0..<count {
            course.offer(.init(seconds: Double(index) / 50, records: index * 1000, bytes: 9 << 20))
        }
        return course
    }

    /// However long the run, the samples are few, and at equal distances.
    @Test(arguments: [1, 5, 400, 401, 402, 803, 5000, 100_000])
    func samplesAreBounded(count: Int) throws {
        let samples = course(count).samples
        #expect(samples.count <= RunCourse.most && samples.count >= min(count, RunCourse.most / 2))
        #expect(samples.first?.seconds == 0)
        let steps = zip(samples, samples.dropFirst()).map { $1.records - $0.records }
        #expect(Set(steps).count <= 1)
        #expect(try #require(samples.last).records + (steps.first ?? 0) >= (count - 1) * 1000)
    }

    @Test func aPlotStaysInItsFrame() {
        var report = report("x")
        #expect(!report.page.contains("<svg"))
        report.course = course(10_000)
        report.course.readingEnded = 120
        let page = report.page
        let plots = page.matches(of: /points="([^"]*)"/).map { $0.1.split(separator: " ") }
        #expect(plots.count == 4)
        for point in plots.joined() {
            let numbers = point.split(separator: ",").compactMap { Double($0) }
            #expect(numbers.count == 2 && (0...600).contains(numbers[0]) && (0...120).contains(numbers[1]), "\(point)")
        }
        #expect(page.contains("at most 9 MiB") && page.contains("at most 50,000<"))
        #expect(page.contains("From 120.00 s on"))
        // Both axes end where the run ends.
        let ends = page.matches(of: /<span>0 s<\/span><span>([0-9.]+) s</).compactMap { Double($0.1) }
        #expect(ends.count == 2 && ends.allSatisfy { $0 > 199 && $0 <= 200 }, "\(ends)")
    }
}
