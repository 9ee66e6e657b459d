/// The shapes of a memory, by number, as `RecordShape` reads them. A feed of many fields may have one for each record:
/// so all are parts of one list of bytes.
struct ShapeList {
    private let bytes: [UInt8]
    private let places: [Range<Int>]

    /// - Parameter places: by number, where a shape stands.
    init(_ bytes: [UInt8] = [], _ places: [Range<Int>] = []) {
        self.bytes = bytes
        self.places = places
    }

    var count: Int { places.count }

    subscript(number: Int) -> ArraySlice<UInt8> { bytes[places[number]] }
}
