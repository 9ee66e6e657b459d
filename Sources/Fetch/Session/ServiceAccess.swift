import SluiceRecords

/// What all have in common who ask one service for a feed: who they are, how fast they may ask, how much may come, and
/// what is counted.
final class ServiceAccess: Sendable {
    /// How the feed is asked for.
    let request: WebRequest
    let session: FetchSession
    let authorizer: Authorizer
    /// Nil: requests are not signed.
    let signer: AWSSigner?
    let pace: Pace
    let budget: Budget
    /// What tells the headers of requests from others.
    let headers: String
    /// The address of the definition, with its query.
    let start: WebAddress
    private let query: [(name: String, value: String)]

    /// Reads the secrets.
    ///
    /// - Parameter keys: of AWS; nil: those that variables, files and roles give.
    init(_ request: WebRequest, _ session: FetchSession, keys: AWSKeys? = nil) throws(Failure) {
        self.request = request
        self.session = session
        headers = fingerprint(of: request.headers.flatMap { [$0.name, $0.value.fingerprint] })
        let credentials = try Credentials(request)
        authorizer = Authorizer(credentials)
        if case .aws(let service)? = request.auth {
            signer = AWSSigner(service: service, keys: keys)
        } else {
            signer = nil
        }
        pace = Pace(interval: request.interval, session.meter)
        budget = Budget(request.maxBytes)
        query = credentials.query
        do throws(AddressError) {
            start = try WebAddress(request.url).adding(query)
        } catch {
            throw Failure(.definition, "the address of a source \(error.message)")
        }
    }

    /// An address with the query of the definition.
    func address(_ text: String) throws(AddressError) -> WebAddress { try WebAddress(text).adding(query) }
}
