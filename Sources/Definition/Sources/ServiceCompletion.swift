import SluiceExtract
import SluiceFetch

extension DefinitionContext {
    /// The sources, with what services can be told only once it is known which entities there are.
    ///
    /// - Parameter complete: gets each service, with its number and its object in the file.
    func completed(
        _ sources: [Source], of pipeline: DefinitionObject,
        _ complete: (_ index: Int, _ object: JSONNode, _ service: inout WebSource) -> Void
    ) -> [Source] {
        // What lacks a variable could not be read whole.
        guard !pending.contains(where: { $0.part == .entities }) else { return sources }
        var objects = [pipeline["source"]].compactMap { $0 }
        if case .object(let members)? = pipeline["sources"]?.kind { objects = members.map(\.value) }
        guard objects.count == sources.count else { return sources }
        return sources.indices.map { index in
            var source = sources[index]
            guard case .web(var service) = source.location else { return source }
            complete(index, objects[index], &service)
            source.location = .web(service)
            return source
        }
    }

    /// A parameter that is a path is in what is posted.
    func checkParameter(_ key: String, _ text: String, _ node: JSONNode, hasBody: Bool) {
        guard text.hasPrefix("$") else { return }
        if PageParameter(text).path == nil {
            mistake(
                "\(quoted(key)) must be the name of a parameter, or a path of names into \"body\", such as"
                    + " $.variables.after", at: node.position)
        } else if !hasBody {
            mistake("\(quoted(text)) is a path into \"body\", and the source has none", at: node.position)
        }
    }
}
