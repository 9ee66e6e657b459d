import SluicePostgreSQL
import SluiceRecords
import StoreMirror
import TestSupport
import Testing

@testable import SluiceSchema
@testable import SluiceStorePostgreSQL

/// A server converts a column by SQL as values are converted one by one.
@Suite struct ServerFormConversionTests {
    private let connection: ServerConnection
    private let server: TestServer

    init() throws {
        server = try TestServer()
        connection = try server.connect()
        // The answers are the same whatever a session shows things as.
        try connection.execute("SET datestyle = 'German'; SET timezone = 'Asia/Tokyo'")
    }

    private func literal(_ value: StoredValue) -> String? {
        switch value {
        case .integer(let value): "'\(value)'"
        case .real(let value): "'\(value)'"
        case .text(let text): "'" + text.replacingExactly("'", with: "''") + "'"
        case .blob: nil
        }
    }

    /// What the server makes of a value; nil: it has no such value.
    private func converted(_ value: StoredValue, _ conversion: FormConversion) throws -> StoredValue?? {
        guard let literal = literal(value) else { return nil }
        var arena = Arena()
        defer { arena.deallocate() }
        if case .text(let text) = value {
            let cell = arena.appendText(text)
            let misfit = unsafe CellForm(conversion.from).misfit(cell, UnsafePointer(arena.base))
            if misfit != nil { return nil }
        }
        let (from, to) = (ServerType(conversion.from).name, ServerType(conversion.to).name)
        let rows = try connection.query(
            "SELECT CAST(\(conversion.sql(of: "c")) AS \(to)) FROM (SELECT CAST(\(literal) AS \(from)) AS c) t")
        let cell = try #require(unsafe CellForm(conversion.to).cell(rows.bytes(0, 0), in: &arena))
        return switch cell.kind {
        case .integer: .integer(cell.integer)
        case .real: .real(cell.real)
        default: .text(arena.text(of: cell))
        }
    }

    @Test func asOneByOne() throws {
        var count = 0
        for example in FormConversionTests.fitting {
            // A time without a number of digits is of a time before there were servers.
            if example.from == StoredForm(.datetime) { continue }
            let conversion = try #require(FormConversion(from: example.from, to: example.to))
            guard let found = try converted(example.value, conversion) else { continue }
            #expect(found == example.expected, "\(example)")
            count += 1
        }
        #expect(count > 40)
    }

    @Test func numbers() throws {
        var random = SeededRandom(7)
        let (integer, real) = (StoredForm(.integer), StoredForm(.real))
        let (decimal, cents) = (StoredForm(.decimal), StoredForm(.decimal, scale: 2, isInteger: true))
        let others = [
            integer, real, decimal, cents, StoredForm(.text), StoredForm(.decimal, scale: 3),
            StoredForm(.duration, fraction: 2),
        ]
        var count = 0
        for _ in 0..<300 {
            let whole = Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random)
            let bits = Double(bitPattern: UInt64.random(in: 0...(.max), using: &random))
            let number = [Double(whole), Double(whole % 100_000) / 1000, bits][random.below(3)]
            if !number.isFinite || number == 0 { continue }
            let texts = [StoredValue.text("\(whole)"), .text("\(Double(whole % 100_000) / 1000)")]
            for (value, from) in [
                (StoredValue.integer(whole), integer), (.real(number), real), (.integer(whole), cents),
                (texts[0], StoredForm(.text)), (texts[1], StoredForm(.text)), (texts[1], decimal),
            ] {
                for to in others {
                    guard let conversion = FormConversion(from: from, to: to), let one = conversion.convert(value)
                    else { continue }
                    let found = try converted(value, conversion)
                    // Of several shortest decimals, the server may take another one: see `doubles`.
                    if case .real = value, found != one { continue }
                    #expect(found == one, "\(value) from \(from) to \(to)")
                    count += 1
                }
            }
        }
        #expect(count > 1000)
    }

    /// A column of doubles becomes what one by one they do, also where the server knows another shortest decimal.
    @Test(arguments: [StoredForm(.decimal), StoredForm(.integer), StoredForm(.decimal, scale: 4, isInteger: true)])
    func doubles(to form: StoredForm) throws {
        defer { try? server.drop() }
        let conversion = try #require(FormConversion(from: StoredForm(.real), to: form))
        var random = SeededRandom(11)
        var expected: [StoredValue] = []
        var literals: [String] = []
        while expected.count < 2000 {
            let number =
                Double(Int64.random(in: 1..<1 << 60, using: &random)) / [1, 1, 16].randomElement(using: &random)!
            guard let value = conversion.convert(.real(number)) else { continue }
            literals.append("(\(expected.count + 1), \(number))")
            expected.append(value)
        }
        let table = "\(quoted(server.location.schema)).\"T\""
        try connection.execute("CREATE SCHEMA \(quoted(server.location.schema))")
        try connection.execute("CREATE TABLE \(table) (\"objectID\" bigint PRIMARY KEY, c double precision)")
        try connection.execute("INSERT INTO \(table) VALUES \(literals.joined(separator: ", "))")
        let text = conversion.sql(of: "c")
        let plain = try connection.query("SELECT (\(text))::text FROM \(table) ORDER BY \"objectID\"")
        let model = Model(entities: [.forLoad("T", identifier: [0], attributes: [("c", .real)])])
        try ServerFormMigration(
            connection: connection, model: model,
            changes: [FormChange(entity: 0, attribute: 0, conversion: conversion, count: 1)], before: [], after: [],
            namespace: ServerNamespace(server.location.schema)
        ).perform()
        let rows = try connection.query("SELECT c::text FROM \(table) ORDER BY \"objectID\"")
        let texts = expected.map { value in
            switch value {
            case .integer(let value): "\(value)"
            case .text(let text): text
            default: ""
            }
        }
        #expect((0..<rows.count).map { rows.text($0, 0) } == texts)
        let isCorrected = (0..<plain.count).map { plain.text($0, 0) } != texts
        #expect(isCorrected || form.isInteger, "nothing had to be corrected")
    }
}
