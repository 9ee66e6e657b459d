import SluiceRecords

/// Whether two texts of one length have the same bytes.
@inline(__always)
func haveSameBytes(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    let (left, right) = unsafe (UnsafeRawPointer(one), UnsafeRawPointer(other))
    guard length >= 8 else {
        for index in 0..<length where unsafe one[index] != other[index] { return false }
        return true
    }
    var at = 0
    while at &+ 8 <= length {
        let (own, their) = unsafe (word(left, at), word(right, at))
        if own != their { return false }
        at &+= 8
    }
    // The last ones, some of them once more.
    return unsafe word(left, length &- 8) == word(right, length &- 8)
}

@inline(__always)
private func word(_ memory: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    unsafe memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
}
