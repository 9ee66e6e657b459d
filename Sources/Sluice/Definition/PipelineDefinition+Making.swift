import SluiceDefinition
import SluiceExtract
import SluiceRecords
import SluiceStore

extension PipelineDefinition {
    /// Reads a definition from a file, and makes all checks there are.
    ///
    /// ```swift
    /// let definition = try PipelineDefinition(contentsOf: "stops.jsonc", environment: ["STORE": "/var/lib/stops"])
    /// ```
    ///
    /// A variable that is not set is a mistake only of a run that needs it, see ``PipelineRun/init(_:options:)``. Where
    /// an entity has `"attributes": "*"`, its store is looked at for them, and else its feed.
    ///
    /// - Parameters:
    ///   - file: its path; relative paths in it are relative to its folder.
    ///   - environment: what its variables (`${NAME}`) stand for; those of the process are ``environment``.
    /// - Throws: all mistakes of the definition, each with its place; `missing`, `refused` or `io` where the file
    ///   cannot be read.
    public init(contentsOf file: String, environment: [String: String] = [:]) throws(DefinitionProblems) {
        self = try Self.read(file: file, environment: environment, checks: .all)
    }

    /// Makes a definition in code: the members and the checks are those of a file.
    ///
    /// ```swift
    /// let definition = try PipelineDefinition(
    ///     named: "stops",
    ///     [
    ///         "source": ["file": "stops.json"],
    ///         "store": ["sqlite": "stops.sqlite"],
    ///         "entities": [
    ///             "Stop": [
    ///                 "records": "$[*]", "identifier": "stop_id",
    ///                 "attributes": ["stop_id": "text", "name": ["type": "text", "required": true]],
    ///             ]
    ///         ],
    ///     ])
    /// ```
    ///
    /// - Parameters:
    ///   - name: what the pipeline is called where `members` do not say so, and what messages call the definition.
    ///   - members: the object that a file would hold. Relative paths are relative to the working directory.
    ///   - environment: what its variables stand for.
    /// - Throws: all mistakes, each with the keys that lead to it.
    public init(
        named name: String, _ members: JSONValue, environment: [String: String] = [:]
    ) throws(DefinitionProblems) {
        self = try Self.read(members.tree(named: name), environment: environment, checks: .all)
    }
}
