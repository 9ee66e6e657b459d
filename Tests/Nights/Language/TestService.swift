import Foundation
import SluiceRecords
import TestSupport

/// The answers of a service in one run, twice: for a dry run, and for the run.
struct TestService {
    let server: FaultyService
    /// What the service gives, as it is asked for it.
    private(set) var values: [FeedNode] = []
    /// What is asked for: cursors that are posted, `null` first, or names of files.
    private var expected: [String] = []
    private let hasPages: Bool

    // MARK: Pages

    /// A few pages; it ends with the first one that holds no record, and names no other one.
    ///
    /// - Parameter records: how many records are in a page.
    init(
        pagesOf service: TestDefinition.Service, _ records: (FeedNode) -> Int, _ random: inout SeededRandom,
        _ page: (inout SeededRandom) -> FeedNode
    ) {
        (server, hasPages) = (service.server, true)
        var (text, answers): ([UInt8], [String]) = ([], [])
        var cursor = "null"
        let count = 1 + random.below(4)
        for number in 0..<count {
            var node = page(&random)
            var next = ""
            // What has no place for records, and is not the first page, is taken for an error unless it is empty.
            let isLast = number > 0 && records(node) == 0
            if isLast { node = FeedNode(.object([])) }
            if !isLast, number < count - 1, case .object(let members) = node.kind {
                next = number % 2 == 0 ? "é \(number)" : "\(number)"
                let value: FeedNode.Kind = number % 2 == 0 ? .string(Text(next)) : .number(next)
                node = FeedNode(.object(members + [("next", FeedNode(value))]))
            }
            expected.append(cursor)
            let body = TestService.written(node, behind: &text, &random)
            answers.append("\(TestService.quoted(cursor)): \(TestService.quoted(body))")
            values.append(node)
            if isLast { break }
            cursor = next
        }
        server.post("[{\"answers\": {\(answers.joined(separator: ", "))}}]")
    }

    private static func written(_ node: FeedNode, behind text: inout [UInt8], _ random: inout SeededRandom) -> String {
        let start = text.count
        node.write(to: &text, &random)
        return String(decoding: text[start...], as: UTF8.self)
    }

    private static func quoted(_ text: String) -> String {
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // MARK: Answers for each record

    /// An answer for each of some names; none for some of them.
    init(
        answersOf service: TestDefinition.Service, for names: [String], _ random: inout SeededRandom,
        _ answer: (inout SeededRandom) -> FeedNode
    ) {
        (server, hasPages) = (service.server, false)
        expected = names
        var (text, answers): ([UInt8], [String]) = ([], [])
        for name in names where random.below(4) > 0 {
            let node = answer(&random)
            values.append(node)
            let body = TestService.written(node, behind: &text, &random)
            answers.append("\(TestService.quoted(name)): \(TestService.quoted(body))")
        }
        server.post("[{\"answers\": {\(answers.joined(separator: ", "))}}]")
    }

    // MARK: What was asked

    /// What the service was not asked as it should be.
    var differences: [String] {
        let requests = server.requests
        if hasPages, let other = requests.first(where: { !TestService.isPosted($0) }) {
            return ["\(other.method) of \(other.body)"]
        }
        // A page may be asked for before it is known that none is wanted.
        let sets = hasPages ? [expected.prefix(values.count), expected.prefix(values.count + 1)] : [expected[...]]
        let asked = requests.map(\.target)
        if sets.contains(where: { one in sets.contains { one + $0 == asked[...] } }) { return [] }
        return ["asked for \(asked), expected twice \(expected.prefix(hasPages ? values.count : expected.count))"]
    }

    /// Whether all is posted that the definition says.
    private static func isPosted(_ request: FaultyService.Request) -> Bool {
        guard let body = try? JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any],
            let variables = body["variables"] as? [String: Any], let of = variables["of"] as? [Any]
        else { return false }
        return request.method == "POST" && body["query"] as? String == "é \"x\"" && body.count == 2
            && variables.count == 2 && of.count == 2 && of[0] as? Int == 1 && of[1] is NSNull
    }
}
