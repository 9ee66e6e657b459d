import Foundation
import Testing

/// `make lint` sees calls of C that keep a pointer, and that nobody has looked at.
@Suite struct PointerLintTests {
    private let folder = TemporaryFolder()

    private func lint(_ source: String) throws -> Int32 {
        _ = try folder.write("Sources/Module/File.swift", source)
        return try Shell.run([Sluice.path(".ci/lint-pointers"), folder.path])
    }

    init() throws {
        for path in ["Sources/Module", ".ci", "Documentation"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(path), withIntermediateDirectories: true)
        }
        _ = try folder.write(".ci/pointers", "# none\nsqlite3_step\nsluice_curl_set_text\nCURLOPT_URL\n")
        _ = try folder.write(
            "Documentation/security.md",
            """
            ## Memory that C keeps
            | what keeps | where | why |
            | --- | --- | --- |
            | `sqlite3_bind_text64` | `File.swift` (2) | copied |

            ## More
            | `sqlite3_bind_blob64` | `File.swift` | of no concern |
            """)
    }

    private static let bind = "import CSluiceSQLite\nunsafe sqlite3_bind_text64(a)\nunsafe sqlite3_bind_text64 (b)\n"

    @Test func whatIsKnown() throws {
        #expect(try lint(Self.bind + "unsafe sqlite3_step(a) // sqlite3_bind_blob64(a)\nlet a = \"putenv(\"") == 0)
        #expect(try lint(Self.bind + "sluice_curl_set_text(handle, CURLOPT_URL, text)\nx.putenv(1)") == 0)
    }

    @Test(arguments: [
        // One more than the table has, one less, and what nobody knows.
        bind + "sqlite3_bind_text64(c)", "import CSluiceSQLite\nsqlite3_bind_text64(a)",
        bind + "sqlite3_bind_blob64(a)", bind + "BIO_new_mem_buf(text, 3)",
        bind + "sluice_curl_set_text(handle, CURLOPT_POSTFIELDS, text)", bind + "stream.pointee.next_in = bytes",
        bind + "setvbuf(stdout, buffer, _IOFBF, 4096)",
    ])
    func whatIsNot(source: String) throws { #expect(try lint(source) == 1) }
}
