import TestSupport
import Testing

@testable import SluiceLoad

@Suite struct ObjectIDSetTests {
    /// The objectIDs of a set and those that it lacks, beside the naive way to them: at the borders of words and pages,
    /// of sets that are empty, full, or have some of each.
    @Test(arguments: [0, 1, 62, 63, 64, 65, 127, 128, 32_767, 32_768, 32_831, 70_000] as [Int64], [0, 1, 3, 64])
    func whatIsThereAndWhatIsNot(highest: Int64, step: Int64) {
        let ids = highest == 0 ? [] : (1...highest).filter { step > 0 && $0 % step == 0 }
        let (set, wanted) = (ObjectIDSet(ids), Set(ids))
        for size in [1, 7, 1000] where size > 1 || highest < 1000 {
            var (there, missing): ([Int64], [Int64]) = ([], [])
            set.inChunks(of: size) { chunk in
                #expect(chunk.count <= size && !chunk.isEmpty)
                there += chunk
            }
            set.inverseInChunks(of: size, upTo: highest) { chunk in
                #expect(chunk.count <= size && !chunk.isEmpty)
                missing += chunk
            }
            #expect(there == ids)
            #expect(missing == (highest == 0 ? [] : (1...highest).filter { !wanted.contains($0) }))
        }
    }
}
