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
