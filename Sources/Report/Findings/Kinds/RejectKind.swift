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
        guard reason.contains(", but absent"), case .whole(let text)? = record,
            let members = Finding.members(of: text), !members.isEmpty
        else { return "" }
        if let near = nearest(to: member, among: members) { return ", did you mean \(JSONText.quoted(near))?" }
        guard members.count <= Finding.shownMembers else { return "" }
        return ", the record has \(members.map(JSONText.quoted).joined(separator: ", "))"
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
