import SluiceDefinition
import SluiceExtract
import SluiceRecords
import Testing

@testable import SluiceInit

/// Answers that are errors, of which nothing is drafted.
@Suite struct ErrorAnswerTests {
    private func error(_ body: String) throws -> String? {
        ErrorAnswer(try JSONTree.read(Array(body.utf8), file: "answer").root)?.text
    }

    @Test(arguments: [
        (#"{"status": "error", "message": "rate limit exceeded"}"#, #""rate limit exceeded" (`message`)"#),
        (#"{"success": false, "detail": "no such page", "data": []}"#, #""no such page" (`detail`)"#),
        (#"{"error": {"code": 401, "message": "no key"}}"#, #""no key" (`error.message`)"#),
        (#"{"error": "invalid_grant"}"#, #""invalid_grant" (`error`)"#),
        (#"{"errors": [{"message": "no field x"}], "data": null}"#, #""no field x" (`errors[0].message`)"#),
    ]) func anErrorSaysSo(_ body: String, _ words: String) throws {
        #expect(try error(body) == words)
    }

    /// What holds something else, or says that nothing is wrong, is none.
    @Test(arguments: [
        #"{"status": "ok", "message": "hello"}"#, #"{"error": null, "id": 1, "message": "x"}"#,
        #"{"status": "error", "message": "some failed", "items": [{"id": 1}]}"#,
        #"{"errors": [{"id": 1, "line": 5}]}"#, #"{"id": 7, "message": "hello"}"#, "[1]",
    ]) func anythingElseIsNone(_ body: String) throws {
        #expect(try error(body) == nil)
    }

    @Test func nothingIsDraftedOfAnError() throws {
        #expect(throws: Failure.self) {
            try InitRun.Draft.text(of: #"{"status": "error", "message": "rate limit exceeded"}"#)
        }
    }
}
