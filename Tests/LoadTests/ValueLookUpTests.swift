import Testing

@testable import SluiceLoad

/// What a store finds of other attributes than identifiers comes in any order: that of a server's index is not ours.
@Suite struct ValueLookUpTests {
    private func note(_ values: ValueLookUp, _ text: String, _ objectID: Int64) {
        var text = text
        text.withUTF8 { bytes in
            if let base = bytes.baseAddress { unsafe values.remember(base, bytes.count, objectID) }
        }
    }

    private func find(_ values: ValueLookUp, _ text: String) -> Int64 {
        var text = text
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            return unsafe values.cache.find(values.cache.key(base, bytes.count))
        }
    }

    @Test func valuesOfSeveralObjectsNeedNotFollowOneAnother() {
        let values = ValueLookUp(attributes: [0])
        for (text, objectID) in [("a", 1), ("b", 2), ("a", 3), ("c", 4), ("b", 5), ("a", 6)] {
            note(values, text, Int64(objectID))
        }
        #expect(find(values, "a") == ValueLookUp.several)
        #expect(find(values, "b") == ValueLookUp.several)
        #expect(find(values, "c") == 4)
        #expect(find(values, "d") == 0)
    }
}
