import SluiceRecords
import Testing

@testable import SluiceInit

/// What a draft says of the headers that a service was asked with.
@Suite struct RequestHeadersTests {
    @Test(arguments: [
        (["Authorization: Bearer abc"], #"{ "auth": { "bearer": "${API_TOKEN}" } }"#),
        (["X-Api-Key: abc"], #"{ "auth": { "header": { "X-Api-Key": "${X_API_KEY}" } } }"#),
        (["authorization: Token abc"], #"{ "auth": { "header": { "authorization": "${AUTHORIZATION}" } } }"#),
        (
            ["X-Api-Key: abc", "Authorization:bearer abc", "Accept: a/b", "X-GitHub-Api-Version: 1"],
            #"{ "auth": { "bearer": "${API_TOKEN}" }, "headers": { "X-Api-Key": "${X_API_KEY}", "Accept": "a/b", "X-GitHub-Api-Version": "1" } }"#
        ), (["User-Agent: ${x}"], #"{ "headers": { "User-Agent": "$${x}" } }"#), ([], "{}"),
    ]) func secretsAreVariables(texts: [String], members: String) throws {
        var headers = RequestHeaders()
        for text in texts { try headers.add(text) }
        #expect(JSONText.object(headers.members) == members)
    }

    /// A secret that a variable holds already is taken from that, whatever it is called.
    @Test(arguments: [
        ("MY_TOKEN", "MY_TOKEN"), ("API_TOKEN", "API_TOKEN"), ("my.token", "API_TOKEN"), ("2TOKEN", "API_TOKEN"),
    ]) func aVariableThatHasItIsNamed(_ name: String, _ named: String) throws {
        var headers = RequestHeaders(environment: [name: "abc-0815-def", "SHORT": "abc"])
        try headers.add("Authorization: Bearer abc-0815-def")
        try headers.add("X-Tenant: abc")
        #expect(headers.variables.map(\.name) == [named, "X_TENANT"])
        #expect(headers.variables.map(\.value) == ["abc-0815-def", "abc"])
        #expect(JSONText.object(headers.members).contains(#""bearer": "${\#(named)}""#))
    }

    @Test(arguments: ["Range: bytes=0-", "Host: a.example", "Content-Length: 1"]) func sluiceSetsItsOwn(text: String) {
        var headers = RequestHeaders()
        let failure = #expect(throws: Failure.self) { try headers.add(text) }
        #expect(failure?.kind == .usage && failure?.message.contains("sets itself") == true)
    }
}
