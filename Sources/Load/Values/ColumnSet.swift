import SluiceRecords

/// A set of columns of one table.
package struct ColumnSet: Hashable {
    var words: [UInt64]

    package var columns: [Int] {
        words.enumerated().flatMap { index, word in
            (0..<64).filter { word >> UInt64($0) & 1 == 1 }.map { index * 64 + $0 }
        }
    }

    package mutating func remove(_ column: Int) { words[column >> 6] &= ~(1 << UInt64(column & 63)) }
}

/// A column of a table that an update writes.
package enum WrittenColumn {
    case attribute(Int)
    case reference(relationship: Int)
    case targetName(relationship: Int)
    /// Null: the object is there.
    case mark
}

extension ColumnSet {
    /// What of the set is in the table of an entity, with the names of the columns; links are in tables of their own.
    package func writtenColumns(of entity: Entity) -> [(name: String, what: WrittenColumn)] {
        columns.flatMap { column -> [(name: String, what: WrittenColumn)] in
            if column < entity.attributes.count { return [(entity.attributes[column].name, .attribute(column))] }
            let relationship = column - entity.attributes.count
            guard relationship < entity.relationships.count else {
                return entity.marksAbsent ? [(Entity.deletedAt, .mark)] : []
            }
            let definition = entity.relationships[relationship]
            if definition.isMany { return [] }
            let reference = (name: definition.name, what: WrittenColumn.reference(relationship: relationship))
            guard definition.isPolymorphic else { return [reference] }
            return [reference, (definition.entityColumn, .targetName(relationship: relationship))]
        }
    }
}

extension Entity {
    /// 64-bit words that have a bit for each column, and for whether the object is there at all.
    var columnWords: Int { (attributes.count + relationships.count + 64) / 64 }

    /// The relationships whose references are compared as the records state them, since the store does not keep that:
    /// where the target of a reference is searched for, or where the object may be deleted by then.
    var digestedRelationships: [Int] {
        relationships.indices.filter { index in
            !deletions.isEmpty || relationships[index].isSearched
        }
    }
}
