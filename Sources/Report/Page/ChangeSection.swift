import SluiceRecords

/// What a run has changed in its store, as far as it is shown.
package struct NightChanges: Sendable {
    /// What became of an object.
    package struct Change: Sendable {
        package var entity: String
        /// JSON.
        package var identifier: String
        /// `created`, `changed` or `deleted`.
        package var event: String
        /// What has changed of it, each from what to what, as JSON.
        package var values: [(name: String, before: String, after: String)]

        package init(
            entity: String, identifier: String, event: String, values: [(name: String, before: String, after: String)]
        ) {
            self.entity = entity
            self.identifier = identifier
            self.event = event
            self.values = values
        }
    }

    /// How many objects are shown at the most.
    package static let most = 300

    package var changes: [Change]
    /// Whether there are more.
    package var isCut: Bool

    package init(changes: [Change], isCut: Bool) {
        self.changes = changes
        self.isCut = isCut
    }
}

/// The first objects that a run has changed, with old and new side by side.
struct ChangeSection {
    let changes: NightChanges

    var text: String {
        if changes.changes.isEmpty { return "<section>\n<h2>Changes</h2>\n<p>None.</p>\n</section>" }
        let heads = ["Object", "What", "Was", "Is"].map { "<th scope=\"col\">\($0)</th>" }
        let note =
            changes.isCut
            ? "\n<p class=\"note\">These are the first \(grouped(changes.changes.count)) objects; sluice diff has all.</p>"
            : ""
        return """
            <section>
            <h2>Changes</h2>
            <table class="changes">
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>
            \(changes.changes.flatMap(rows).joined(separator: "\n"))
            </tbody>
            </table>\(note)
            </section>
            """
    }

    private func rows(_ change: NightChanges.Change) -> [String] {
        let object = HTMLText.escaped("\(change.entity) \(JSONText.shown(change.identifier))")
        if change.values.isEmpty {
            return ["<tr><td>\(object)</td><td>\(HTMLText.escaped(change.event))</td><td></td><td></td></tr>"]
        }
        return change.values.enumerated().map { place, value in
            let cells = [value.name, JSONText.shown(value.before), JSONText.shown(value.after)].map {
                "<td>\(HTMLText.escaped($0))</td>"
            }
            return "<tr><td>\(place == 0 ? object : "")</td>\(cells.joined())</tr>"
        }
    }
}
