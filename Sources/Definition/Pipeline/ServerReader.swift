import SluiceExtract
import SluicePosix
import SluicePostgreSQL

/// Reads where a store on a server is.
package struct ServerReader {
    let context: DefinitionContext
    /// The name of the pipeline.
    let pipeline: String

    /// Nil: the store is a file, or something is wrong.
    func server(of root: DefinitionObject) -> ServerLocation? {
        guard let store = root["store"], case .object = store.kind, store["sqlite"] == nil,
            let node = store["postgresql"],
            let object = DefinitionObject(node, "\"postgresql\"", keys: DefinitionKeys.postgresql, in: context),
            let database = object.required("database"), var address = address(database)
        else { return nil }
        address.password = object["password"].flatMap(password)
        if let tls: ServerAddress.TLS = object.choice("tls") {
            if address.tls != nil, address.tls != tls, let position = object.position(of: "tls") {
                context.mistake("\"database\" has another sslmode", at: position)
            }
            address.tls = tls
        }
        address.certificates = object.filePath("certificates", for: .store)
        var location = ServerLocation(address: address, schema: object.text("schema") ?? pipeline)
        location.declaresForeignKeys = object.boolean("foreignKeys") ?? true
        if let problem = ServerLocation.problem(schema: location.schema) {
            context.mistake(problem, at: object.position(of: "schema") ?? object.position)
        }
        return location
    }

    private func address(_ node: JSONNode) -> ServerAddress? {
        guard !context.isUnset(node) else { return nil }
        guard let text = node.text else {
            context.wrong("database", node, expected: "a text")
            return nil
        }
        do throws(ServerAddress.Mistake) {
            return try ServerAddress(text)
        } catch {
            context.mistake("\"database\" \(error.message)", at: node.position)
            return nil
        }
    }

    private func password(_ node: JSONNode) -> Secret? {
        if node.text != nil, !context.isUnset(node), !context.hasVariable(node) {
            context.mistake(
                "a password does not stand in a definition: say { \"file\": path } or \"${NAME}\"", at: node.position)
            return nil
        }
        return context.secret(node, "password")
    }

    /// Refuses what only a file can be.
    static func refuse(_ root: DefinitionObject) {
        if let position = root.position(of: "seed") {
            root.context.mistake("a seed is made of an SQLite database, and the store is on a server", at: position)
        }
    }
}
