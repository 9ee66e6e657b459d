import SluiceRecords

/// References that say again what another one of the same record says: `AccountId` beside `Account`, an object with its
/// identifier, or the address of what is embedded beside it.
struct RedundantReferences {
    let measures: [RecordMeasure]

    func settle() {
        for measure in measures where !measure.entity.isDropped { settle(measure) }
    }

    private func settle(_ measure: RecordMeasure) {
        let entity = measure.entity
        for object in entity.relationships {
            guard case .embedded(let path) = object.basis, object.targets.count == 1,
                let key = object.targets[0].identifier?.only?.path,
                let inner = entity.columns.first(where: { $0.origin == .member(path + key) && $0.cut == nil })
            else { continue }
            let echo = entity.relationships.first { other in
                isPlain(other) && other.leads(to: object.targets[0]) && isCalled(other.column, after: path)
                    && other.column.map { measure.areSame($0, inner) } == true
            }
            guard let echo, let column = echo.column else { continue }
            // A member of the record is null where there is no object; the object itself is absent then.
            if column.cut == nil, column.isOwnMember {
                entity.relationships.removeAll { $0.isEmbedded(at: path) }
                entity.objects.excerpts.append(path)
            } else {
                entity.relationships.removeAll { $0.column === column }
            }
        }
    }

    /// Whether a relationship leads from one value to an identifier.
    private func isPlain(_ relationship: DraftRelationship) -> Bool {
        guard case .column = relationship.basis else { return false }
        return relationship.targets.count == 1 && !relationship.isMany && relationship.by == nil
            && relationship.kinds == nil && relationship.separator == nil
    }

    /// Whether a member is called as an object is: `AccountId`, or `_links.show.href` of `_embedded.show`. What two
    /// objects of other names say is the same by chance: who made a thing, and who changed it.
    private func isCalled(_ column: DraftColumn?, after path: [String]) -> Bool {
        guard let column, let last = path.last.map(Names.parts) else { return false }
        return column.meaning.member.base == last || column.parent.last.map(Names.parts) == last
    }
}

extension RecordMeasure {
    /// Whether two columns have the same value in each of the first records.
    fileprivate func areSame(_ one: DraftColumn, _ other: DraftColumn) -> Bool {
        var (equal, differs) = (0, false)
        unsafe forEachSampled { row in
            let (own, its) = unsafe (row[one.index + 1], row[other.index + 1])
            if own != its { differs = true } else if own != ValueFingerprint.none { equal += 1 }
        }
        return equal > 0 && !differs
    }
}
