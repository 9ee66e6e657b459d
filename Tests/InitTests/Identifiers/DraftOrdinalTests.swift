import Foundation
import Testing

@testable import SluiceInit

/// Positions, which are numbered within what they are of.
@Suite struct DraftOrdinalTests {
    private let scratch = FeedFolder()

    /// Though each material stands once in each order, an order is known by its positions, written as exports of SAP
    /// write them.
    @Test(arguments: ["%06d", "%d"]) func aPositionComesBeforeAReference(_ format: String) throws {
        let rows = (0..<120).map { row in
            let (order, place) = (5_000_000 + row / 3, row % 3)
            let material = 4_711_000 + (order * 7 + place * 11) % 20
            let position = String(format: format, (place + 1) * 10)
            return "\(order);\(position);\(String(format: "%018d", material));\(row % 7);open"
        }
        let materials = (0..<20).map { String(format: "%018d;Screw %d", 4_711_000 + $0, $0) }
        let text = try scratch.text(of: [
            "lines": ["Order;Position;Material;Amount;Status"] + rows, "materials": ["Material;Text"] + materials,
        ])
        #expect(text.contains(#""identifier": ["Order", "Position"]"#), "\(text)")
        #expect(text.contains(#""Material": { "to": "Material" }"#), "\(text)")
    }
}
