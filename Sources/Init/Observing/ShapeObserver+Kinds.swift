// What the objects of a list say of themselves.
extension ShapeObserver {
    /// A list's log belongs to the nodes of its elements, and of the member that tells their kind. The member may be in
    /// an object that each element has.
    mutating func watchKinds(_ member: Int32) {
        let parent = tree[member].parent
        switch tree[parent].step {
        case .element, .root: watchKinds(member, of: parent, frame: depth - 1)
        case .member where tree[parent].parent >= 0 && tree[tree[parent].parent].step == .element:
            watchKinds(member, of: tree[parent].parent, frame: depth - 2)
        default: break
        }
    }

    private mutating func watchKinds(_ member: Int32, of element: Int32, frame: Int) {
        let isInner = tree[member].parent != element
        // One such member is enough, and the objects before this one have none.
        let known = isInner ? tree[element].kinds.inner : tree[element].kinds.own
        guard known < 0 || logs[Int(known)].isRefuted, tree[element].counts.objects == 1, frames[frame].node == element
        else { return }
        let log = Int32(logs.count)
        logs.append(KindLog(member: tree.name(member)))
        unsafe tree.pointer(member).pointee.kinds.own = log
        let entry = logs[Int(log)].begin()
        if isInner {
            unsafe tree.pointer(element).pointee.kinds.inner = log
            unsafe frames.base[frame].innerLog = log
            unsafe frames.base[frame].innerEntry = entry
        } else {
            unsafe tree.pointer(element).pointee.kinds.own = log
            unsafe frames.base[frame].log = log
            unsafe frames.base[frame].logEntry = entry
        }
    }

    mutating func noteKind(_ text: UnsafePointer<UInt8>, _ length: Int, _ node: Int32) {
        guard depth > 0, tree[node].step == .member else { return }
        let (log, frame) = (tree[node].kinds.own, frames[depth - 1])
        if frame.log == log { return unsafe logs[Int(log)].note(text, length, of: frame.logEntry) }
        guard depth > 1, frames[depth - 2].innerLog == log else { return }
        unsafe logs[Int(log)].note(text, length, of: frames[depth - 2].innerEntry)
    }
}
