import SluiceExtract
import SluiceRecords
import SluiceReport
import SluiceTransform

extension Finding {
    /// The order among findings of drift.
    var weight: Int {
        guard case .drift(let drift, _, _) = detail else { return 0 }
        return drift.weight + (isNew == true ? 0 : Drift.weights)
    }
}

extension Finding.Drift {
    static let weights = 7

    /// What is worst comes first.
    var weight: Int {
        switch self {
        case .missing: 0
        case .fewer: 1
        case .retyped: 2
        case .shape: 3
        case .untaken: 4
        case .unknown: 5
        case .repeated: 6
        }
    }
}

extension Path {
    /// Whether a field is what this path names, or a part of it.
    func covers(_ field: Path) -> Bool {
        guard steps.count <= field.steps.count else { return false }
        return zip(steps, field.steps).allSatisfy { $0 == .wildcard || $0 == $1 }
    }
}
