import Sluice
import SluiceDefinition
import SluiceRecords

/// `deletes=500`, `Stop.rejects=2%`, `checks.no overlap=7`.
func allowance(_ text: String) throws(UsageError) -> Allowance {
    guard let sign = text.lastIndex(of: "=") else {
        let place = try allowedPlace(text, of: text)
        throw UsageError("--allow \(text): it takes \(place.amounts), as in \(text)=500")
    }
    let name = String(text[..<sign])
    let place = try allowedPlace(name, of: text)
    guard let allowance = Allowance(place, String(text[text.index(after: sign)...])) else {
        throw UsageError("--allow \(text): it takes \(place.amounts), as in \(name)=500")
    }
    return allowance
}

/// Which limit a name is of.
///
/// - Parameter text: all of the option, for messages.
private func allowedPlace(_ name: String, of text: String) throws(UsageError) -> Allowance.Place {
    if let place = Allowance.Place(text: name) { return place }
    let names = Allowance.Kind.allCases.map(\.rawValue)
    let kind = name.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? name
    guard let near = nearestWord(to: kind, among: names) else {
        throw UsageError("--allow \(text): there is no limit \(kind); there is \(names.joined(separator: ", "))")
    }
    let rest = text.dropFirst(name.count)
    let meant = name.dropLast(kind.count) + near + rest
    throw UsageError("--allow \(text): there is no limit \(kind): did you mean \(meant)?")
}

extension Allowance.Place {
    /// What it may be.
    fileprivate var amounts: String {
        "a whole number" + (kind.map { !$0.isOfFields } == true ? ", or a share from 0% to 100%" : "")
    }
}

/// Refuses limits of entities and checks that none of the definitions has.
func requireAllowed(_ allowances: [Allowance], by definitions: [PipelineDefinition]) throws(UsageError) {
    for allowance in allowances {
        switch allowance.place {
        case .all: continue
        case .entity(let name, _):
            try require(name, "entity", among: definitions.flatMap { $0.model.entities.map(\.name) }, allowance)
        case .check(let name):
            try require(name, "check", among: definitions.flatMap { $0.questions.map(\.name) }, allowance)
        }
    }
}

private func require(
    _ name: String, _ kind: String, among names: [String], _ allowance: Allowance
) throws(UsageError) {
    guard !names.containsExactly(name) else { return }
    throw UsageError(
        "--allow \(allowance.place.text)=\(allowance.text): there is no \(kind) \(name)", nearest: name, among: names)
}
