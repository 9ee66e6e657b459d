import SluiceRecords
import TestSupport
import Testing

@testable import SluicePostgreSQL

/// The binary forms of values, as a real server takes and gives them.
@Suite struct ValueFormTests {
    private let connection: ServerConnection

    init() throws {
        let address = try ServerAddress(Cluster.shared.get().uri)
        connection = try ServerConnection(address, name: "test", application: "sluice test")
    }

    /// Sends cells as a list, and reads what the server makes of them: as text, and as cells again.
    private func roundTrip(_ form: CellForm, _ texts: [String], kind: CellKind = .text) throws -> [(String, String)] {
        var arena = Arena()
        defer { arena.deallocate() }
        let cells = texts.map { arena.appendText($0, kind: kind) }
        return try roundTrip(form, cells, &arena).map { text, cell in (text, arena.text(of: cell)) }
    }

    private func roundTrip(_ form: CellForm, _ cells: [Cell], _ arena: inout Arena) throws -> [(String, Cell)] {
        var parameters = Parameters()
        defer { parameters.deallocate() }
        let bytes = unsafe UnsafePointer(arena.base)
        parameters.addList(of: form.type, cells.count) { unsafe form.append(cells[$1], bytes, to: &$0) }
        let rows = try connection.query(
            "SELECT v::text, v FROM unnest($1) WITH ORDINALITY u(v, o) ORDER BY o", parameters)
        return try (0..<rows.count).map { row in
            (rows.text(row, 0), try #require(unsafe form.cell(rows.bytes(row, 1), in: &arena)))
        }
    }

    @Test func textsAreSentAsTheyAre() throws {
        let texts = [
            "", "a", "Straße \u{10FFFF} \u{FFFE}", "e\u{301}", String(repeating: "x", count: 100_000), "\n\t\\\"'",
        ]
        for (text, result) in zip(texts, try roundTrip(CellForm(StoredForm(.text)), texts)) {
            #expect(result.0.utf8.elementsEqual(text.utf8) && result.1.utf8.elementsEqual(text.utf8))
        }
    }

    @Test func jsonKeepsEveryByte() throws {
        let texts = ["{\"b\":1,\"a\":[1.0,1e400,\"\\u0000\"],\"b\":2}", "null", "\"x\""]
        for (text, result) in zip(texts, try roundTrip(CellForm(StoredForm(.json)), texts)) {
            #expect(result.0 == text && result.1 == text)
        }
    }

    @Test func bytesKeepEveryByte() throws {
        let texts = ["", "\u{0}\u{1}\u{7f}", "abc"]
        for (text, result) in zip(texts, try roundTrip(CellForm(StoredForm(.bytes)), texts, kind: .blob)) {
            #expect(result.1 == text)
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
    func integers(value: Int64) throws {
        var arena = Arena()
        defer { arena.deallocate() }
        let result = try roundTrip(CellForm(StoredForm(.integer)), [.integer(value)], &arena)[0]
        #expect(result.0 == String(value) && result.1.integer == value)
    }

    @Test(arguments: [0.0, -0.0, 0.1, .pi, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, 1e300])
    func reals(value: Double) throws {
        var arena = Arena()
        defer { arena.deallocate() }
        let result = try roundTrip(CellForm(StoredForm(.real)), [.real(value)], &arena)[0]
        #expect(
            result.1.real == value && Double(result.0) == value
                && result.1.real.sign == (value == 0 ? .plus : value.sign))
    }

    @Test func booleans() throws {
        var arena = Arena()
        defer { arena.deallocate() }
        let results = try roundTrip(CellForm(StoredForm(.boolean)), [.integer(0), .integer(1)], &arena)
        #expect(results.map(\.0) == ["false", "true"])
        #expect(results.map(\.1.integer) == [0, 1])
    }

    @Test func decimals() throws {
        var random = SeededRandom(1)
        var texts = [
            "0", "-0.5", "1", "-1", "9999", "10000", "99999999", "100000000", "0.0001", "0.00001", "12.50", "0.00",
            "-12345.6789",
            "1000000000000.0000000000001", "0.1234567890123456789", String(repeating: "9", count: 1000),
            "-" + String(repeating: "9", count: 500) + "." + String(repeating: "1", count: 499),
            "0." + String(repeating: "0", count: 998) + "1", "1" + String(repeating: "0", count: 999),
        ]
        for _ in 0..<500 {
            let whole = String(
                Int.random(in: 0...Int(1e9), using: &random) % Int.random(in: 1...1_000_000, using: &random))
            let fraction = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                String([0, 0, Int.random(in: 0...9, using: &random)].randomElement(using: &random) ?? 0)
            }.joined()
            let isZero = (whole + fraction).allSatisfy { $0 == "0" }
            let sign = !isZero && Bool.random(using: &random) ? "-" : ""
            texts.append(sign + whole + (fraction.isEmpty ? "" : "." + fraction))
        }
        for (text, result) in zip(texts, try roundTrip(CellForm(StoredForm(.decimal)), texts)) {
            #expect(result.0 == text && result.1 == text)
        }
    }

    /// What is written from text by the server has the same bytes as what is sent: else a value would differ from
    /// itself.
    @Test func decimalsHaveTheBytesThatTheServerGivesThem() throws {
        let texts = ["0", "0.00", "10000", "120000000.00", "0.00010000", "-1.5"]
        for text in texts {
            var arena = Arena()
            var buffer = ByteBuffer()
            defer {
                arena.deallocate()
                buffer.deallocate()
            }
            let cell = arena.appendText(text)
            unsafe CellForm(StoredForm(.decimal)).append(cell, arena.base, to: &buffer)
            let rows = try connection.query("SELECT '\(text)'::numeric")
            let sent = unsafe Array(UnsafeBufferPointer(start: buffer.base + 4, count: buffer.count - 4))
            #expect(unsafe Array(rows.bytes(0, 0)) == sent, "\(text)")
        }
    }

    @Test func dates() throws {
        let texts = [
            "0001-01-01", "1582-10-15", "1900-03-01", "1999-12-31", "2000-01-01", "2000-02-29", "2100-02-28",
            "9999-12-31",
        ]
        for (text, result) in zip(texts, try roundTrip(CellForm(StoredForm(.date)), texts)) {
            #expect(result.0 == text && result.1 == text)
        }
    }

    @Test func times() throws {
        try connection.execute("SET timezone = 'UTC'")
        let texts = [
            "0001-01-01T00:00:00.000000Z", "1999-12-31T23:59:59.999999Z", "2000-01-01T00:00:00.000001Z",
            "2026-11-20T23:13:00.250000Z", "9999-12-31T23:59:59.999999Z",
        ]
        for (text, result) in zip(texts, try roundTrip(CellForm(StoredForm(.datetime, fraction: 6)), texts)) {
            #expect(result.1 == text)
            #expect(text.hasPrefix(result.0.replacing(" ", with: "T").replacing("+00", with: "")))
        }
        #expect(
            try roundTrip(CellForm(StoredForm(.datetime, fraction: 0)), ["1969-07-20T20:17:40Z"])[0].1
                == "1969-07-20T20:17:40Z")
        #expect(
            try roundTrip(CellForm(StoredForm(.datetime, fraction: 9)), ["1969-07-20T20:17:40.123456000Z"])[0].1
                == "1969-07-20T20:17:40.123456000Z")
    }

    @Test func whatTheServerCannotHold() {
        var arena = Arena()
        defer { arena.deallocate() }
        func misfit(_ form: StoredForm, _ text: String) -> CellForm.Misfit? {
            let cell = arena.appendText(text)
            return unsafe CellForm(form).misfit(cell, arena.base)
        }
        #expect(misfit(StoredForm(.text), "a\u{0}b") == .nul)
        #expect(misfit(StoredForm(.text), "ab") == nil)
        #expect(misfit(StoredForm(.datetime, fraction: 6), "2016-12-31T23:59:60.000000Z") == .leapSecond)
        #expect(misfit(StoredForm(.datetime, fraction: 9), "2016-12-31T23:59:59.000000100Z") == .tooPrecise)
        #expect(misfit(StoredForm(.datetime, fraction: 9), "2016-12-31T23:59:59.000001000Z") == nil)
        #expect(misfit(StoredForm(.datetime, fraction: 0), "2016-12-31T23:59:59Z") == nil)
    }
}
