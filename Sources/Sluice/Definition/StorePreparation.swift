import SluiceDefinition
import SluiceRecords
import SluiceSchema

/// What the next run of a pipeline does to its store before it loads anything.
package struct StorePreparation: Sendable {
    struct Step: Sendable {
        var kind: SchemaPreview.Kind
        var message: String
        /// Nil: no place of the definition is the reason.
        var place: Failure.Place?
    }

    var steps: [Step]
    /// Whether the store's server is there, and the store is not.
    var isNew = false

    /// Why there can be no run: each a failure of its own.
    package var contradictions: [Failure] {
        steps.filter { $0.kind == .refused }.map { Failure(.definition, $0.message, at: $0.place) }
    }

    /// A headline, and a line for each step that a run makes; empty where there is none.
    package var text: String {
        let steps = steps.filter { $0.kind != .refused }
        guard !steps.isEmpty else { return "" }
        let width = steps.map(\.kind.rawValue.count).max() ?? 0
        let lines = steps.map { step in
            let kind = step.kind.rawValue
            return "  \(kind)\(String(repeating: " ", count: width - kind.count))  \(step.message.printable)\n"
        }
        return "The next run changes the store first:\n" + lines.joined()
    }

    /// A line of JSON for each step, contradictions among them.
    package var json: String {
        steps.map { step in
            line(step.kind.rawValue, step.message, step.place)
        }.joined()
    }
}

extension Failure {
    /// A mistake of a definition, as `check` writes it: a line of JSON.
    package var jsonLine: String { line("mistake", message, place) }
}

/// A line of JSON of what `check` finds.
private func line(_ kind: String, _ message: String, _ place: Failure.Place?) -> String {
    var members = [("kind", JSONText.quoted(kind)), ("message", JSONText.quoted(message))]
    if let place {
        let at = [("file", JSONText.quoted(place.file)), ("line", "\(place.line)"), ("column", "\(place.column)")]
        members.append(("at", JSONText.object(at)))
    }
    return JSONText.object(members) + "\n"
}
