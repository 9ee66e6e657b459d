import SluiceExtract
import Testing

@testable import SluiceInit

/// Which `fails` a draft has, by an answer in which nothing went wrong.
@Suite struct FailsGuessTests {
    private func guess(_ body: String) throws -> String? {
        FailsGuess(try JSONTree.read(Array(body.utf8), file: "answer").root)?.text
    }

    @Test(arguments: [
        (#"{"status": "ok", "items": [{"id": 1}]}"#, #""$.status": { "present": true, "not": "ok" }"#),
        (#"{"ok": true, "members": [1], "x": {}}"#, #""$.ok": { "present": true, "not": true }"#),
        (#"{"success": true, "errno": 0, "data": {"rows": [1]}}"#, #""$.success": { "present": true, "not": true }"#),
        (#"{"code": 0, "data": [1]}"#, #""$.code": { "present": true, "not": 0 }"#),
        (#"{"errMsg": null, "data": [1]}"#, #""$.errMsg": { "present": true, "not": null }"#),
        (#"{"error_message": "", "data": [1]}"#, #""$.error_message": { "present": true, "not": [null, ""] }"#),
        (#"{"meta": {"status": 200, "n": 1}, "response": [1]}"#, #""$.meta.status": { "present": true, "not": 200 }"#),
    ])
    func whatSaysThatAllWentWell(_ body: String, _ condition: String) throws {
        #expect(try guess(body) == "{ \"where\": { \(condition) } }")
    }

    /// A state of something, an answer without records, a record, and what runs know by themselves.
    @Test(arguments: [
        #"{"status": "open", "items": [1]}"#, #"{"status": "ok"}"#, #"{"id": 7, "status": "ok", "tags": [1]}"#,
        #"{"error": null, "errors": [], "items": [1]}"#, #"{"code": 7, "items": [1]}"#, "[1]",
        #"{"items": [{"status": "ok"}]}"#,
    ])
    func whatSaysNothing(_ body: String) throws { #expect(try guess(body) == nil) }
}
