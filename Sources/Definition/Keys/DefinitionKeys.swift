/// The names of the keys of each object, from ``KeyTable``: what its reader takes.
package enum DefinitionKeys {
    static let pipeline = names(KeyTable.pipeline)
    static let source = names(KeyTable.source)
    /// Of a source that is a table.
    static let table = names(KeyTable.table)
    /// Of a source that is a web service.
    static let web = names(KeyTable.web)
    static let secret = ["file", "command"]
    static let auth = names(KeyTable.auth)
    static let basic = names(KeyTable.basic)
    static let aws = names(KeyTable.aws)
    static let oauth2 = names(KeyTable.oauth2)
    static let pages = names(KeyTable.pages)
    static let fails = names(KeyTable.fails)
    static let since = names(KeyTable.since)
    static let store = names(KeyTable.store)
    static let postgresql = names(KeyTable.postgresql)
    static let limits = names(KeyTable.limits)
    static let question = names(KeyTable.question)
    static let archive = names(KeyTable.archive)
    static let ledger = names(KeyTable.ledger)
    static let history = names(KeyTable.history)
    static let seed = names(KeyTable.seed)
    static let after = names(KeyTable.after)
    static let hook = names(KeyTable.hook)
    static let entity = names(KeyTable.entity)
    static let search = names(KeyTable.search)
    static let condition = names(KeyTable.condition)
    static let value = names(KeyTable.value)
    static let attribute = names(KeyTable.attribute)
    static let relationship = names(KeyTable.relationship)
    /// Of a value that each link has, in `with`.
    static let linkValue = attribute(of: .links)
    /// Of a way to find a target, which has the name of an entity besides.
    static let way = names(KeyTable.way)

    /// All of them, by the name of their object in the documentation and in the schema.
    static let all = KeyTable.all.map { (object: $0.object, keys: names($0.keys)) }

    /// Of an entity, what another one that is like it does not take over.
    static let ofOneEntity = KeyTable.entity.filter { !$0.holders.contains(.bases) }.map(\.name)
    /// Of a value of the type json.
    static let jsonValue = names(KeyTable.value, of: .json)

    /// Those that only some entities, attributes or relationships may have.
    static func entity(of holder: DefinitionKey.Holders) -> [String] { names(KeyTable.entity, of: holder) }
    static func attribute(of holder: DefinitionKey.Holders) -> [String] { names(KeyTable.attribute, of: holder) }
    static func relationship(of holder: DefinitionKey.Holders) -> [String] { names(KeyTable.relationship, of: holder) }

    private static func names(_ keys: [DefinitionKey], of holder: DefinitionKey.Holders = .records) -> [String] {
        keys.filter { $0.holders.contains(holder) }.map(\.name)
    }
}
