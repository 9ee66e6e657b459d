import Testing

@testable import Sluice

@Suite struct ProgressTextTests {
    private func text(
        _ phase: ProgressMeter.Phase, bytes: Int = 0, of total: Int = 0, records: Int = 0, findings: Int = 0,
        seconds: Double = 0, memory: Int = 0
    ) -> ProgressText {
        ProgressText(
            reading: .init(phase: phase, bytes: bytes, totalBytes: total, records: records, findings: findings),
            seconds: seconds, memory: memory)
    }

    @Test func saysWhereTheRunIs() {
        #expect(
            text(
                .reading, bytes: 12_340_000, of: 50_000_000, records: 1_234_567, findings: 17, seconds: 10,
                memory: 61_000_000
            ).line
                == "reading: 24 %, 0:31 left, 1,234,567 records, 123,456 a second, 17 findings, 12.3 MB of 50.0 MB, "
                + "memory 61.0 MB")
        // A pipe: nobody knows how much will come.
        #expect(
            text(.reading, bytes: 12_360_000, records: 10, findings: 1, seconds: 0.5).line
                == "reading: 10 records, 20 a second, 1 finding, 12.4 MB")
        #expect(text(.linking, records: 3000, memory: 1).line == "linking: 3,000 records, memory 0.0 MB")
        #expect(text(.waiting).line == "waiting: ")
    }

    /// What a request waits for comes first.
    @Test func saysWhatARequestWaitsFor() {
        var text = text(.reading, records: 7)
        text.reading.wait = .init(reason: .service, end: 100)
        text.now = 88.4
        #expect(text.line == "reading: next request in 12 s (Retry-After), 7 records, 0.0 MB")
        text.now = 200
        #expect(text.line.hasPrefix("reading: next request in 0 s"))
    }

    /// On a terminal, a bar and the time left come first, and what does not fit is left out from the end.
    @Test func theLineFitsItsTerminal() {
        let text = text(
            .reading, bytes: 12_340_000, of: 50_000_000, records: 1_234_567, findings: 17, seconds: 10,
            memory: 61_000_000)
        #expect(
            text.line(columns: 140)
                == "reading [####----------------] 24 %, 0:31 left, 1,234,567 records, 123,456 a second, 17 findings, "
                + "12.3 MB of 50.0 MB, memory 61.0 MB")
        #expect(
            text.line(columns: 99)
                == "reading [####----------------] 24 %, 0:31 left, 1,234,567 records, 123,456 a second, 17 findings")
        #expect(text.line(columns: 59) == "reading [##--------] 24 %, 0:31 left, 1,234,567 records")
        #expect(text.line(columns: 5) == "readi")
        for columns in 1...150 { #expect(text.line(columns: columns).count <= columns) }
        #expect(self.text(.linking, records: 3000).line(columns: 79) == "linking: 3,000 records")
        #expect(self.text(.waiting).line(columns: 79) == "waiting:")
        let done = self.text(.reading, bytes: 60, of: 50, records: 1)
        #expect(done.line(columns: 79).hasPrefix("reading [##########] 100 %, 1 record"))
    }

    /// What is left shrinks to nothing, and nothing is said where nothing can be known.
    @Test func whatIsLeft() {
        for done in stride(from: 1, through: 1000, by: 37) {
            let left = text(.reading, bytes: done, of: 1000, seconds: 60).secondsLeft
            #expect(left == Int((60 * Double(1000 - done) / Double(done)).rounded(.up)))
        }
        #expect(text(.reading, bytes: 1000, of: 1000, seconds: 60).secondsLeft == 0)
        #expect(text(.reading, bytes: 0, of: 1000, seconds: 60).secondsLeft == nil)
        #expect(text(.reading, bytes: 1001, of: 1000, seconds: 60).secondsLeft == nil)
        #expect(text(.reading, bytes: 5, of: 1000, seconds: 0.1).secondsLeft == nil)
        #expect(text(.linking, bytes: 5, of: 1000, seconds: 60).secondsLeft == nil)
    }

    @Test func clock() {
        #expect(
            [0, 59, 60, 3599, 3600, 86_461].map(ProgressText.clock) == [
                "0:00", "0:59", "1:00", "59:59", "1:00:00", "24:01:01",
            ])
    }
}
