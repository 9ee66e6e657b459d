import SluiceRecords
import Testing

/// Any number is a whole one, or next to one.
struct BoundedNumberTests {
    @Test(arguments: [
        (0.0, 0), (-1.9, -1), (1.9, 1), (1e30, .max), (-1e30, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0),
        (0x1p63, .max), (-0x1p63, .min),
    ])
    func isTheNearest(_ value: Double, _ expected: Int64) { #expect(Int64(bounded: value) == expected) }

    @Test func narrowOnesHaveTheirBounds() {
        #expect(Int32(bounded: 1e10) == .max)
        #expect(UInt8(bounded: -3) == 0)
    }
}
