import SluiceRecords
import TestSupport
import Testing

@testable import SluiceStoreSQLite

/// Texts that the store gives back as cells are those that it has, and what is no UTF-8 is repaired as a string is.
@Suite struct StoredTextTests {
    /// In SQL, with what is to be read.
    private static let texts = [
        ("''", ""), ("'a'", "a"), ("'0189abcd-ef45-7e9f-8321-76540fedcba9'", "0189abcd-ef45-7e9f-8321-76540fedcba9"),
        ("'Zürich'", "Zürich"), ("CAST(x'610062' AS TEXT)", "a\0b"), ("CAST(x'ff61' AS TEXT)", "\u{fffd}a"),
        ("42", "42"),
    ]

    @Test(arguments: texts) func isWhatIsThere(sql: String, text: String) throws {
        let entity = Entity.forLoad("Place", identifier: [0], attributes: [("id", .text)])
        let batch = RecordBatch(model: Model(entities: [entity]))
        let folder = TemporaryFolder()
        let connection = try Connection(path: folder.file("store.sqlite"), access: .create)
        let statement = try connection.prepare("SELECT \(sql)")
        #expect(try statement.step())
        var cells = [statement.cell(0, as: .text, in: batch)]
        // Read as what it is, a number is none.
        if sql != "42" { cells.append(statement.cell(0, in: &batch.arena)) }
        for cell in cells {
            #expect(cell.kind == .text)
            #expect(unsafe Array(batch.arena.bytes(of: cell)) == Array(text.utf8))
        }
    }
}
