import SluiceDefinition
import SluiceFetch
import SluiceRecords

extension PipelineDefinition {
    /// The services at which a user must log in, each once.
    ///
    /// - Parameter source: the name of the source whose service is meant; nil: all.
    /// - Throws: `usage` where there is none.
    package func logins(of source: String?) throws(Failure) -> [Authentication.OAuth2] {
        if let source, !sources.contains(where: { $0.name.isIdentical(to: source) }) {
            throw Failure(
                .usage, "there is no source \(source); there is \(sources.map(\.name).joined(separator: ", "))")
        }
        var found: [Authentication.OAuth2] = []
        for one in sources where source.map(one.name.isIdentical) != false {
            guard case .web(let service) = one.location, case .oauth2(let oauth)? = service.request.auth,
                case .device = oauth.grant, !found.contains(oauth)
            else { continue }
            found.append(oauth)
        }
        guard !found.isEmpty else {
            throw Failure(.usage, "nobody logs in: \(source ?? "no source") has \"oauth2\" with a \"deviceUrl\"")
        }
        return found
    }

    /// Checks that the environment sets all that a login uses.
    package func requireForLogin(of source: String?) throws(DefinitionProblems) {
        try require(
            sources.indices.filter { source.map(sources[$0].name.isIdentical) != false }.map(Part.source))
    }
}
