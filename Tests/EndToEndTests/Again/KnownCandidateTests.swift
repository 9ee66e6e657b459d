import Testing

/// Records that need their targets (`missing: reject`) are known by their bytes, too, once their objects are there.
@Suite struct KnownCandidateTests {
    private let folder = TemporaryFolder()

    /// Runs a night with these stops, and times of some at them; gives what became of the times, and how much was
    /// known.
    private func night(_ stops: Range<Int>, _ times: [(id: Int, stop: Int)]) throws -> (times: [Int?], known: Int) {
        let feed = """
            { "stops": [\(stops.map { "{\"id\": \($0)}" }.joined(separator: ", "))],
              "times": [\(times.map { "{\"id\": \($0.id), \"stop\": \($0.stop)}" }.joined(separator: ", "))] }
            """
        _ = try folder.write("feed.json", feed)
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "p.sqlite" },
              "limits": { "rejects": null, "deletes": null }, "entities": {
                "Time": {
                  "records": "$.times[*]", "identifier": "id", "absent": "delete", "attributes": { "id": "integer" },
                  "relationships": { "stop": { "to": "Stop", "missing": "reject" } } },
                "Stop": {
                  "records": "$.stops[*]", "identifier": "id", "absent": "delete", "attributes": { "id": "integer" } } } }
            """)
        let outcome = try Sluice.run(["run", definition, "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let counts = ["unchanged", "created", "deleted", "rejected"].map { outcome.count("Time", $0) }
        return (counts, outcome.report["known"] as? Int ?? -1)
    }

    @Test func fromTheThirdNightOn() throws {
        let times = (0..<40).map { (id: $0, stop: $0 % 5) }
        let (bad, new) = ((id: 50, stop: 9), (id: 51, stop: 1))
        #expect(try night(0..<5, times) == ([0, 40, 0, 0], 0))
        // The objects of the records are found, and noted. Of what is known, a few are read for their fields.
        let second = try night(0..<5, times + [bad])
        #expect(second.times == [40, 0, 0, 1] && second.known <= 5)
        // A record that was rejected is read, be it the same.
        for (stops, created) in [(5, 1), (6, 0)] {
            let later = try night(0..<stops, times + [bad, new])
            #expect(later.times == [41 - created, created, 0, 1] && later.known > 20)
        }
        // Of two records of an object, one may have its target, and the other not.
        for stops in 5..<8 {
            #expect(try night(0..<stops, [(id: 7, stop: 9)] + times + [bad, new]).times == [41, 0, 0, 2])
        }
        // Of an object that is there, a record that is rejected is read again.
        let changed = times.map { $0.id == 7 ? (id: 7, stop: 9) : $0 }
        for stops in 5..<8 { #expect(try night(0..<stops, changed + [bad, new]).times == [40, 0, 0, 2]) }
        // Where a target is gone, all is read, and what needs it is rejected.
        #expect(try night(0..<4, times) == ([32, 0, 1, 8], 0))
        #expect(try night(0..<4, times + [new]).times == [32, 1, 0, 8])
    }
}
