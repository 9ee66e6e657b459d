import SluiceDefinition
import SluiceRecords
import SluiceSeed

extension SeedBuild.Outcome {
    /// What became of it, in a few lines.
    package var text: String {
        switch self {
        case .nothingNew(let newest): return "Nothing new since version \(newest.version).\n"
        case .built(let manifest):
            let objects = manifest.objects.reduce(0, +)
            var lines = [
                "\(manifest.name.printable) \(manifest.version): \(objects) objects, \(manifest.whole.bytes) bytes "
                    + "(expanded \(manifest.whole.expandedBytes))"
            ]
            for delta in manifest.deltas { lines.append("  from version \(delta.from): \(delta.bytes) bytes") }
            return lines.joined(separator: "\n") + "\n"
        }
    }
}

extension SeedInstaller.Outcome {
    /// What became of it, in a line.
    package var text: String {
        let name = "\(manifest.name.printable) \(manifest.version)"
        switch source {
        case nil: return "\(name) is installed already.\n"
        case .whole?: return "Installed \(name), whole.\n"
        case .delta(let from)?: return "Installed \(name), by the delta from version \(from).\n"
        }
    }
}

extension SeedVerification.Outcome {
    /// What was looked at, in a line.
    package var text: String {
        let deltas = deltas == 0 ? "" : ", \(deltas) \(deltas == 1 ? "delta" : "deltas")"
        return "\(name.printable) \(version) is sound: \(objects) objects\(deltas).\n"
    }
}
