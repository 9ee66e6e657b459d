// Lists whose positions have a meaning each.
extension ShapeObserver {
    /// Where the next element of a list is whose positions are places of their own.
    mutating func positionalPlace() -> Int32 {
        let position = frames[depth &- 1].position
        unsafe frames.base[depth &- 1].position = position + 1
        unsafe PositionName(position).withBytes { name, length in unsafe enterMember(name, length) }
        return target
    }

    /// Notes what is at the next position of a list.
    @inline(__always)
    mutating func note(_ kind: PositionLog.Kind?) {
        guard depth > 0, frames[depth &- 1].positions >= 0 else { return }
        tree.positionLogs[Int(frames[depth &- 1].positions)].note(kind)
    }

    /// Likewise, where that is a number.
    @inline(__always)
    mutating func note(number text: UnsafePointer<UInt8>, _ length: Int) {
        guard depth > 0, frames[depth &- 1].positions >= 0 else { return }
        unsafe tree.positionLogs[Int(frames[depth &- 1].positions)].note(number: text, length)
    }

    /// A list whose positions are places is an object.
    mutating func beginList(_ node: Int32, _ frame: inout Frame) {
        let list = unsafe tree.pointer(node)
        let isFirst = beginElement()
        if unsafe list.pointee.positions.arePlaces {
            if unsafe list.pointee.positions.hasHeader, isFirst {
                titles?.beginHeader(of: node)
                frame.header = node
                frame.node = -1
                return
            }
            frame.isPositional = true
            unsafe list.pointee.counts.objects &+= 1
            return
        }
        unsafe list.pointee.counts.arrays &+= 1
        guard unsafe list.pointee.step == .element || list.pointee.step == .root else { return }
        if unsafe list.pointee.positions.log < 0 {
            unsafe list.pointee.positions.log = Int32(tree.positionLogs.count)
            tree.positionLogs.append(PositionLog())
        }
        let log = unsafe list.pointee.positions.log
        guard !tree.positionLogs[Int(log)].isGone else { return }
        tree.positionLogs[Int(log)].begin(isFirst: isFirst)
        frame.positions = log
    }

    /// Counts the lists in a list whose positions are no places, and tells whether one is the first of these.
    private mutating func beginElement() -> Bool {
        guard depth > 0, frames[depth &- 1].isArray, !frames[depth &- 1].isPositional else { return false }
        unsafe frames.base[depth &- 1].position &+= 1
        return frames[depth &- 1].position == 1
    }
}
