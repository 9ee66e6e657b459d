import SluiceRecords

/// What was erased of the past of an object.
package struct ErasedPast {
    package var versions: Int
    /// Examples in reports of the ledger.
    package var findings: Int

    package var isNothing: Bool { versions + findings == 0 }
}

/// Erases what the reports in the ledger say of an object: the examples of their findings, of which rejects have the
/// whole record; rows of checks that have its identifier; references to it that wait; targets that one object of the
/// entity named; and where a limit names it.
struct LedgerErasure {
    let store: any HistoryDatabase
    /// What the entity is called, and what it was called when reports were written.
    let names: [String]
    /// Each part of it as a text; of an object whose identifier had other forms, in these, too.
    let identifiers: [[String]]
    /// Whether feeds write an identifier as the store has it.
    let isWrittenPlainly: Bool

    private var ledger: String { store.dialect.ownTable("sluice_run") }

    /// Returns how many examples were erased.
    func perform() throws(Failure) -> Int {
        var count = 0
        // One by one: a ledger may have many reports.
        for run in try store.integers("SELECT run FROM \(ledger) WHERE report IS NOT NULL", []) {
            var report = ""
            try store.fewRows("SELECT report FROM \(ledger) WHERE run = \(run)", []) { row in report = row.text(0) }
            guard let (rest, erased) = withoutObject(of: report) else { continue }
            try store.write(
                "UPDATE \(ledger) SET report = \(store.dialect.parameter(1)) WHERE run = \(run)", [.text(rest)])
            count += erased
        }
        return count
    }

    /// A report without what names the object, and how many places did; nil: it has none that can be read.
    private func withoutObject(of report: String) -> (String, Int)? {
        guard case .object(var members)? = StoredJSON(report) else { return nil }
        var count = 0
        for index in members.indices {
            guard let elements = members[index].value.elements else { continue }
            switch members[index].key {
            case "examples": members[index].value = .array(keep(elements, &count) { isOfObject($0) || refersToIt($0) })
            // Which entity a relationship leads to is not said here: rather one too many goes.
            case "lacking":
                members[index].value = .array(keep(elements, &count) { isSame($0["value"]) || isOfOne($0) })
            case "exceeded": members[index].value = .array(elements.map { withoutObject($0, &count) })
            default: break
            }
        }
        return count == 0 ? nil : (StoredJSON.object(members).text, count)
    }

    private func keep(_ elements: [StoredJSON], _ count: inout Int, but isMeant: (StoredJSON) -> Bool) -> [StoredJSON] {
        let kept = elements.filter { !isMeant($0) }
        count += elements.count - kept.count
        return kept
    }

    /// A limit without the object among those that it names.
    private func withoutObject(_ limit: StoredJSON, _ count: inout Int) -> StoredJSON {
        guard case .object(var members) = limit, let place = members.firstIndex(where: { $0.key == "objects" }),
            let objects = members[place].value.elements
        else { return limit }
        members[place].value = .array(keep(objects, &count, but: isOfObject))
        return .object(members)
    }

    /// Whether a target that is missing may be what this object alone named: nobody knows which object did.
    private func isOfOne(_ target: StoredJSON) -> Bool {
        isOfEntity(target["entity"]) && target["references"]?.scalarText == "1"
    }

    private func isOfObject(_ example: StoredJSON) -> Bool {
        guard example["entity"]?.string != nil else { return isRowOfIt(example) }
        return isOfEntity(example["entity"]) && (isSame(example["identifier"]) || mayBeOfObject(example))
    }

    private func isOfEntity(_ name: StoredJSON?) -> Bool { name?.string.map(names.containsExactly) ?? false }

    /// Whether nobody knows of which object a rejected record is: its identifier is noted as the feed has it, or not at
    /// all where the definition makes it of other values. Rather one too many goes.
    private func mayBeOfObject(_ example: StoredJSON) -> Bool {
        guard example["kind"]?.string == "reject" else { return false }
        guard let key = example["identifier"], key.text != "null" else { return true }
        return !isWrittenPlainly
    }

    /// Whether a row of a check that names no entity has the identifier among its values: rather one too many goes.
    private func isRowOfIt(_ example: StoredJSON) -> Bool {
        guard case .object(let members)? = example["row"] else { return false }
        return identifiers.contains { identifier in
            identifier.allSatisfy { part in members.contains { isSame($0.value, part) } }
        }
    }

    /// Whether an example is of a reference that waits for the object.
    private func refersToIt(_ example: StoredJSON) -> Bool {
        let targets = example["to"]?.elements ?? []
        return targets.contains { isOfEntity($0) } && isSame(example["value"])
    }

    /// Whether an identifier in a report is that of the object.
    private func isSame(_ key: StoredJSON?) -> Bool {
        guard let key else { return false }
        let parts = key.elements ?? [key]
        return identifiers.contains { parts.count == $0.count && zip(parts, $0).allSatisfy(isSame) }
    }

    /// Whether a part of an identifier may be that of a text. A reject has it as the feed does, before the definition
    /// trims it, or takes a part of it: rather one example too many goes than one stays.
    private func isSame(_ part: StoredJSON, _ text: String) -> Bool {
        guard let own = part.scalarText else { return false }
        if own.isIdentical(to: text) { return true }
        if let number = Double(own.withoutSpaceAround), number == Double(text) { return true }
        return own.holds(text)
    }
}

extension String {
    fileprivate var withoutSpaceAround: String {
        var scalars = Substring(self).unicodeScalars
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars.drop { $0.properties.isWhitespace })
    }

    /// Whether a text stands in this one, and no letter or digit at its side.
    fileprivate func holds(_ text: String) -> Bool {
        let (own, sought) = (Array(unicodeScalars), Array(text.unicodeScalars))
        guard !sought.isEmpty, sought.count <= own.count else { return false }
        func ends(_ index: Int) -> Bool {
            !own.indices.contains(index) || !own[index].properties.isAlphabetic && !isDigit(own[index])
        }
        return (0...own.count - sought.count).contains { start in
            own[start..<start + sought.count].elementsEqual(sought) && ends(start - 1) && ends(start + sought.count)
        }
    }

    private func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.numericType != nil }
}
