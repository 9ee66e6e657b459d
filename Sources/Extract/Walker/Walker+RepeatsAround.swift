import SluiceRecords

// Keys that are repeated above records. What they hold may have gone to rows that are handed out already, so it is the
// first value that counts, for all of them. What comes again is compared with it when the node around the records ends;
// until then, further rows wait.
extension Walker {
    /// A key comes again that leads to values of a node around records.
    mutating func repeatedOutside(_ cursor: Cursor, _ ordinal: Int, decidedBy state: Int32) {
        let index = open.rows[open.records[Int(cursor.record)].rowStart + ordinal].row
        let values = paths.automaton.decidedOutside(by: state, ordinal: ordinal)
        let note =
            open.innerCount == 0 ? aroundPosition(of: around.ancestors.infos[around.ancestors.open[index].kind]) : nil
        for value in values { around.ancestors.setAside(value, of: index, at: note) }
        if open.captureCount == 0 { around.ancestors.compact() }
    }

    /// A key comes again in which records are looked for: those of all its values count.
    mutating func noteRepeatedRecords(_ symbol: Int32, in state: Int32) {
        guard open.innerCount == 0 else { return }
        let path = pathOfKey
        for entity in paths.automaton.recordsNaming(symbol, in: state) {
            noteAround(RepeatedAround(entity: entity, path: path, first: positionOfKey(for: entity)))
        }
    }

    /// Ends a node around records: the records get the first value of a key, and other values of it are reported.
    mutating func settleRepeats(of index: Int) {
        for found in around.ancestors.settle(index) { noteAround(found) }
    }

    /// The finding of a repeated key; the record around the key, if there is one, has been reported already.
    private mutating func aroundPosition(of info: AncestorInfo) -> RepeatedAround {
        RepeatedAround(entity: info.entity, path: pathOfKey, first: positionOfKey(for: info.entity))
    }

    private mutating func noteAround(_ found: RepeatedAround) {
        let key = RepeatedAround.Key(entity: found.entity, path: found.path.description)
        var known = drift.around[key] ?? (found, 0)
        known.count += 1
        drift.around[key] = known
        // It is told again as long as it is there.
        items.isUnknowable = true
    }

    /// The last key of the top frame; elements, and members that no path names, are all alike.
    private var pathOfKey: Path {
        let steps = (1...depth).map { depth -> Path.Step in
            let frame = containers.frames[depth]
            guard !frame.isArray, paths.keys.entries[Int(frame.lastKey)].symbol != SymbolTable.other else {
                return .wildcard
            }
            return .name(paths.keys.name(of: frame.lastKey))
        }
        return Path(root: .feed, steps: steps)
    }

    private mutating func positionOfKey(for entity: Int) -> FeedPosition {
        var position = RecordPosition()
        if let key = unsafe top.pointee.key {
            position.offset = unsafe tokenStart(.string, key, top.pointee.keyLength)
        }
        (position.line, position.column) = self.position(of: position.offset)
        position.record = recordCounts.numbers[entity]
        position.source = UInt16(truncatingIfNeeded: feed.source)
        position.file = UInt32(truncatingIfNeeded: feed.file)
        return FeedPosition(position, path: "$" + (1...depth).map { step(of: $0) }.joined())
    }
}
