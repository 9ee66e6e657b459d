import SluiceRecords

/// A set of columns of one table.
struct ColumnSet: Hashable {
    var words: [UInt64]

    var columns: [Int] {
        words.enumerated().flatMap { index, word in
            (0..<64).filter { word >> UInt64($0) & 1 == 1 }.map { index * 64 + $0 }
        }
    }

    mutating func remove(_ column: Int) { words[column >> 6] &= ~(1 << UInt64(column & 63)) }
}

extension Entity {
    /// 64-bit words that have a bit for each column, and for whether the object is there at all.
    var columnWords: Int { (attributes.count + relationships.count + 64) / 64 }

    /// The relationships whose references are compared as the records say them, since the store does not tell: where it
    /// is searched what a reference refers to, or where the object may be gone by then.
    var digestedRelationships: [Int] {
        relationships.indices.filter { index in
            !deletions.isEmpty || relationships[index].isSearched
        }
    }
}

extension Model {
    /// By entity: the attributes by which references look for its objects, its identifier first.
    var keyAttributes: [[Int]] {
        var found = entities.map(\.identifier)
        for relationship in entities.flatMap(\.relationships) {
            for way in relationship.ways {
                let entity = relationship.targets[way.target].entity
                found[entity] += way.attributes.filter { !found[entity].contains($0) }
            }
        }
        return found
    }
}
