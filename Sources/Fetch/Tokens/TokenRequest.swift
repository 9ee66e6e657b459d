/// A form that is posted to a token service.
struct TokenRequest {
    var form: [(name: String, value: String)]
    /// The header `Authorization`, where who asks is said there.
    var authorization: String?

    /// As it is posted.
    var text: String { form.map { "\($0.name)=\(percentEncoded($0.value))" }.joined(separator: "&") }

    /// The headers that go along.
    var headers: [String] {
        (authorization.map { ["Authorization: \($0)"] } ?? []) + [
            "Content-Type: application/x-www-form-urlencoded", "Accept: application/json", "Accept-Encoding: identity",
        ]
    }
}
