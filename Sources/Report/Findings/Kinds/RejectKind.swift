import SluiceDefinition
import SluiceExtract
import SluiceRecords

extension FindingKind {
    static let reject = FindingKind(
        one: "rejected record", several: "rejected records", isToldByExamples: true,
        sentence: { finding, object, _ in
            guard case .reject(let faults) = finding.detail else { return nil }
            let reasons = faults.map { fault in
                "\(Finding.place(of: fault.member))\(fault.reason)\(finding.meant(fault.member, fault.reason))"
            }
            return "\(object) is rejected: \(reasons.joined(separator: "; "))"
        },
        members: { finding in
            guard case .reject(let faults) = finding.detail else { return nil }
            return FindingLayout.reject(faults: Finding.json(ofFaults: faults))
        },
        read: { node in
            let faults = node["faults"]?.list.map { ($0["attribute"]?.text ?? "", $0["reason"]?.text ?? "") }
            return .reject(faults: faults ?? [])
        },
        identity: { finding in
            guard case .reject(let faults) = finding.detail else { return nil }
            return faults.map(\.reason)
        })
}

extension Finding {
    /// What a sentence says of a part of a record before what is wrong with it; nothing: that is all of the record.
    package static func place(of member: String) -> String { member == "@" ? "" : "\(member): " }

    /// So many members of a record are named, where one is missing.
    private static let shownMembers = 8

    /// What a record has in place of a member that it lacks.
    fileprivate func meant(_ member: String, _ reason: String) -> String {
        if reason.hasSuffix(" is not in the map") { return ", in which the key \"*\" would stand for all others" }
        if reason.hasPrefix("no "), reason.hasSuffix(" exists") {
            return ", where \"missing\": \"null\" would let the reference wait, and \"stub\" create its target"
        }
        guard case .whole(let text)? = record else { return "" }
        if reason.hasSuffix(" expected, found an object") { return Finding.memberPath(member, reason, in: text) }
        guard let start = reason.firstRange(of: ", but absent")?.upperBound else { return "" }
        if text == "null" {
            let path = String(reason[start...]).replacingExactly(": there is no ", with: "")
            return ", as the record is null"
                + (path.isEmpty ? "" : ": \"where\": { \(JSONText.quoted(path)): { \"present\": true } } leaves it out")
        }
        guard let members = Finding.members(of: text), !members.isEmpty else { return "" }
        if let near = nearest(to: member, among: members) { return ", did you mean \(JSONText.quoted(near))?" }
        guard members.count <= Finding.shownMembers else { return "" }
        return ", the record has \(members.map(JSONText.quoted).joined(separator: ", "))"
    }

    /// Members that identify what an object tells of.
    private static let identifying = ["id", "_id", "key", "code", "no", "number", "uuid", "slug", "name"]

    /// What of an object a reference could take, where it was looked for by its own name.
    private static func memberPath(_ member: String, _ reason: String, in record: String) -> String {
        guard reason.hasPrefix("a reference to "),
            let value = (try? JSONTree.read(Array(record.utf8), file: ""))?.root[member],
            let key = identifying.first(where: { value[$0]?.isIdentifier == true })
        else { return "" }
        return ": perhaps \"from\": \(JSONText.quoted("\(member).\(key)"))"
    }

    private static func members(of record: String) -> [String]? {
        guard case .object(let members)? = try? JSONTree.read(Array(record.utf8), file: "").root.kind else {
            return nil
        }
        return members.map(\.key)
    }

    package static func json(ofFaults faults: [(member: String, reason: String)]) -> String {
        JSONText.array(
            faults.map { fault in
                JSONText.object(
                    FindingLayout.fault(
                        attribute: JSONText.quoted(fault.member), reason: JSONText.quoted(fault.reason)))
            })
    }
}

extension JSONNode {
    fileprivate var isIdentifier: Bool {
        switch kind {
        case .number, .string: true
        case .null, .boolean, .array, .object: false
        }
    }
}
