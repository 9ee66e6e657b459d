import SluiceExtract
import SluicePosix
import SluiceRecords

/// The secrets of a request, read when they are needed: what a service gets to see, and nobody else.
struct Credentials {
    /// Headers of the definition.
    let headers: [(name: String, value: String)]
    /// The query of the definition.
    let query: [(name: String, value: String)]
    /// What the service is told to know who asks; nil: a token is asked for.
    private(set) var authorization: Authorization?
    let client: TokenClient?
    private(set) var redaction = Redaction()

    /// Shorter values are no secrets, but words that messages need.
    private static let leastSecret = 8

    init(_ request: WebRequest) throws(Failure) {
        headers = try Credentials.values(request.headers)
        query = try Credentials.values(request.query)
        switch request.auth {
        case nil, .aws?: (authorization, client) = (nil, nil)
        case .bearer(let token)?:
            let value = try token.value()
            redaction.add(value)
            authorization = Authorization(name: "Authorization", prefix: "Bearer ", secret: value, origin: token)
            client = nil
        case .basic(let user, let password)?:
            let (name, word) = (try user.value(), try password.value())
            redaction.add(word)
            redaction.add("\(name):\(word)")
            let both = base64(Array("\(name):\(word)".utf8))
            (authorization, client) = (Authorization(name: "Authorization", prefix: "Basic ", secret: both), nil)
        case .header(let name, let secret)?:
            let value = try secret.value()
            redaction.add(value)
            (authorization, client) = (Authorization(name: name, secret: value, origin: secret), nil)
        case .oauth2(let grant)?:
            let tokens = try TokenClient(grant)
            for secret in tokens.secrets { redaction.add(secret) }
            (authorization, client) = (nil, tokens)
        }
        let parts = request.url.split(separator: "?", maxSplits: 1)
        let inAddress =
            parts.count > 1 ? parts[1].split(separator: "&").map { String($0.drop { $0 != "=" }.dropFirst()) } : []
        for value in (headers + query).map(\.value) + inAddress where value.utf8.count >= Credentials.leastSecret {
            redaction.add(value)
        }
    }

    private static func values(
        _ parameters: [WebRequest.Parameter]
    ) throws(Failure) -> [(name: String, value: String)] {
        var values: [(name: String, value: String)] = []
        for parameter in parameters { values.append((parameter.name, try parameter.value.value())) }
        return values
    }

    static func address(_ text: String) throws(Failure) -> WebAddress {
        do throws(AddressError) {
            return try WebAddress(text)
        } catch {
            throw Failure(.definition, "an address of the definition \(error.message)")
        }
    }

    mutating func hide(_ secret: String) { redaction.add(secret) }

    /// Takes what a file or a program gives now, in place of what was refused.
    mutating func replace(_ secret: String) {
        redaction.add(secret)
        authorization?.secret = secret
    }
}
