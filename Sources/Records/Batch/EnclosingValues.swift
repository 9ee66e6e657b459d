extension EntityRecords {
    /// What a row holds of the values around its record, each as a path with JSON: for findings about it.
    ///
    /// Of the row's raw cells, those of `Entity.enclosingSlots` must be there.
    package func enclosingValues(of row: Int, _ entity: Entity, _ batch: RecordBatch) -> [(path: String, value: String)]
    {
        var values: [(path: String, value: String)] = []
        for slot in entity.enclosingSlots {
            guard let text = raw[row * slotCount + slot].json(in: batch) else { continue }
            let path = entity.slots[slot].name
            guard let known = values.firstIndex(where: { $0.path == path }) else {
                values.append((path, text))
                continue
            }
            // The whole text says more than that there is an object.
            if entity.slots[slot].json { values[known].value = text }
        }
        return values
    }
}

extension Cell {
    /// The value as JSON, if it is one.
    fileprivate func json(in batch: RecordBatch) -> String? {
        switch kind {
        case .null, .yes, .no, .number, .string, .json, .integer, .text: batch.arena.json(of: self)
        case .list: JSONText.array(elements(in: batch).map { $0.json(in: batch) ?? "null" })
        // What they hold is not known, only that they are no scalars.
        case .object: "{}"
        case .array: "[]"
        case .absent, .real, .blob, .impossible, .brokenString, .unlisted: nil
        }
    }

    /// The elements of a list.
    private func elements(in batch: RecordBatch) -> [Cell] {
        var (index, elements): (Int, [Cell]) = (head, [])
        for _ in 0..<count {
            elements.append(batch.elements[index].cell)
            index = Int(batch.elements[index].next)
        }
        return elements
    }
}
