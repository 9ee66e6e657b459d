import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

/// How an answer of a web service says that it is none that went wrong: an answer with status 200 that says something
/// else is an error.
struct FailsGuess {
    /// As `fails` of a source has it.
    let text: String
    /// What an answer says that is none: `"status" is "ok"`.
    let said: String

    private static let successes: Set = ["ok", "okay", "success", "succeeded", "successful"]
    private static let states: Set = ["status", "state", "result", "stat"]
    /// What is 0, or the status of HTTP.
    private static let codes: Set = [
        "code", "errno", "errcode", "errorcode", "resultcode", "retcode", "ret", "returncode", "status", "statuscode",
    ]
    /// What is null, false or empty where nothing is wrong. What is called `error` or `errors` is known to runs.
    private static let faults: Set = [
        "err", "errormessage", "errormsg", "errmsg", "exception", "fault", "faults", "haserror", "haserrors", "iserror",
    ]
    /// Objects at the top that are about the answer.
    private static let heads: Set = [
        "head", "header", "meta", "metadata", "responseheader", "status", "responsestatus",
    ]

    /// A member of the answer, or of an object that is about it.
    private struct Member {
        let path: [String]
        let value: JSONNode

        /// Its name in small letters, without what stands between words.
        var name: String { NextPageNames.plain(path[path.count - 1]) }
    }

    /// Nil: nothing says so, or the answer is a record by itself.
    ///
    /// - Parameter body: an answer that holds records.
    init?(_ body: JSONNode) {
        guard case .object(let all) = body.kind, body["id"] == nil,
            all.contains(where: { FailsGuess.holdsRecords($0.value) })
        else { return nil }
        let members = FailsGuess.members(all)
        let conditions = [FailsGuess.state, FailsGuess.fault, FailsGuess.code]
        let found = conditions.lazy.compactMap { expected in
            members.lazy.compactMap { member in expected(member).map { (member: member, expected: $0) } }.first
        }.first
        guard let (member, expected) = found else { return nil }
        let place = Path(root: .feed, steps: member.path.map { .name($0) }).description
        let test = "{ \"present\": true, \"not\": \(expected) }"
        text = JSONText.object([("where", JSONText.object([(place, test)]))])
        said = "\(quoted(member.path.joined(separator: "."))) is \(FailsGuess.shown(member.value))"
    }

    /// What stands at the top, and what is in objects there that are about the answer.
    private static func members(_ all: [JSONMember]) -> [Member] {
        let own = all.map { Member(path: [$0.key], value: $0.value) }
        return own
            + own.filter { heads.contains($0.name) }.flatMap { head -> [Member] in
                guard case .object(let inner) = head.value.kind else { return [] }
                return inner.map { Member(path: head.path + [$0.key], value: $0.value) }
            }
    }

    private static func holdsRecords(_ node: JSONNode) -> Bool {
        switch node.kind {
        case .array(let elements): !elements.isEmpty
        case .object(let members): members.contains { holdsRecords($0.value) }
        default: false
        }
    }

    // MARK: What a member says where nothing is wrong, as JSON; nil: it says nothing

    private static func state(_ member: Member) -> String? {
        switch member.value.kind {
        case .boolean(true): ["success", "ok", "successful"].contains(member.name) ? "true" : nil
        case .string(let text):
            states.contains(member.name) && successes.contains(text.lowercased()) ? DraftText.quoted(text) : nil
        default: nil
        }
    }

    private static func code(_ member: Member) -> String? {
        guard codes.contains(member.name) else { return nil }
        return switch member.value.kind {
        case .number("0"), .number("200"): shown(member.value)
        case .string("0"), .string("200"): shown(member.value)
        default: nil
        }
    }

    private static func fault(_ member: Member) -> String? {
        guard faults.contains(member.name) else { return nil }
        return switch member.value.kind {
        case .null: "null"
        case .string(""): "[null, \"\"]"
        case .boolean(false): "[null, false]"
        default: nil
        }
    }

    private static func shown(_ value: JSONNode) -> String {
        switch value.kind {
        case .string(let text): DraftText.quoted(text)
        case .number(let text): text
        case .boolean(let isTrue): isTrue ? "true" : "false"
        default: "null"
        }
    }
}
