import SluiceExtract
import SluiceRecords

extension FindingKind {
    static let reject = FindingKind(
        one: "rejected record", several: "rejected records", isToldByExamples: true,
        sentence: { finding, object, _ in
            guard case .reject(let faults) = finding.detail else { return nil }
            return "\(object) is rejected: \(faults.map { "\($0.member): \($0.reason)" }.joined(separator: "; "))"
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
    package static func json(ofFaults faults: [(member: String, reason: String)]) -> String {
        JSONText.array(
            faults.map { fault in
                JSONText.object(
                    FindingLayout.fault(
                        attribute: JSONText.quoted(fault.member), reason: JSONText.quoted(fault.reason)))
            })
    }
}
