/// What a class changes for each row or value, kept outside of it: a stored property of a class is checked for
/// exclusive access each time, which takes longer than the access itself; what is behind a pointer is not checked. Only
/// for what one thread uses, and no closure meets while it is changed.
@frozen
@safe
public struct Unchecked<Value> {
    @usableFromInline let pointer: UnsafeMutablePointer<Value>

    /// Memory that lives until `deallocate`.
    @inlinable
    public init(_ value: consuming Value) {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: value)
    }

    /// What is kept.
    @inlinable public var value: Value {
        _read { yield unsafe pointer.pointee }
        nonmutating _modify { yield unsafe &pointer.pointee }
    }

    /// Frees the memory, but not what the value itself has allocated; it must not be used again.
    @inlinable
    public func deallocate() {
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
    }
}
