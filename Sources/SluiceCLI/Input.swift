import Glibc
import Sluice
import SluiceRecords

extension Arguments {
    /// The only positional argument of a command.
    func onlyArgument(_ name: String) throws(UsageError) -> String {
        guard let first = positional.first else { throw UsageError("\(name) is missing") }
        if positional.count > 1 { throw UsageError("one \(name) is enough: \(positional[1]) is too much") }
        return first
    }

    /// The value of an option that must be one of some words.
    func choice(_ name: String, _ words: [String]) throws(UsageError) -> String? {
        guard let word = last(name) else { return nil }
        guard words.contains(word) else {
            throw UsageError("--\(name) takes \(words.joined(separator: " or ")), not \(word)")
        }
        return word
    }

    func positiveInteger(_ name: String) throws(UsageError) -> Int? {
        guard let word = last(name) else { return nil }
        guard let number = Int(word), number > 0 else {
            throw UsageError("--\(name) takes a whole number from 1, not \(word)")
        }
        return number
    }
}

extension Arguments {
    /// Seconds.
    func duration(_ name: String) throws(UsageError) -> Double? {
        guard let word = last(name) else { return nil }
        guard let seconds = seconds(of: word) else {
            throw UsageError("--\(name) takes a time such as 30s, 10m or 2h, not \(word)")
        }
        return seconds
    }

    /// Bytes.
    func size(_ name: String) throws(UsageError) -> Int? {
        guard let word = last(name) else { return nil }
        guard let size = byteCount(of: word) else {
            throw UsageError("--\(name) takes a size such as 64MiB or 2GiB, or a number of bytes from 1, not \(word)")
        }
        return size
    }
}

/// Performs what a signal may end: the exit status names it.
func endedBySignals(_ cancellation: Cancellation, _ body: () throws -> Int32) throws -> Int32 {
    do {
        return try body()
    } catch let failure as Failure where failure.kind == .cancelled {
        printFailure(failure)
        return cancellation.signal.map { 128 + $0 } ?? failure.kind.rawValue
    }
}

/// Reads a definition with the variables of this process.
///
/// - Parameters:
///   - feeds: what is read instead of its own feeds.
///   - store: instead of its own.
func readDefinition(
    _ file: String, feeds: [RunOptions.FeedOverride] = [], store: String? = nil
) throws(DefinitionProblems) -> PipelineDefinition {
    try PipelineDefinition.read(file: file, environment: environment(), checks: .all(feeds: feeds), store: store)
}

/// Reads a definition whose store is looked into, or written to: the settings and entities must be right, and the store
/// where no other is named.
///
/// - Parameter store: instead of its own.
func readDefinition(ofStore file: String, instead store: String?) throws -> PipelineDefinition {
    let definition = try readDefinition(file, store: store)
    try definition.require([.settings, .entities] + (store == nil ? [.store] : []))
    return definition
}

/// Refuses a name that no entity of the definition has: it is a slip, and no empty list.
func requireEntity(_ name: String, of model: Model) throws(UsageError) {
    let names = model.entities.map(\.name)
    if !names.containsExactly(name) { throw UsageError("there is no entity \(name)", nearest: name, among: names) }
}

/// Reads several definitions; throws the mistakes of all of them.
func readDefinitions(_ files: [String]) throws(DefinitionProblems) -> [PipelineDefinition] {
    var definitions: [PipelineDefinition] = []
    var mistakes: [Failure] = []
    for file in files {
        do throws(DefinitionProblems) {
            definitions.append(try readDefinition(file))
        } catch {
            mistakes += error.failures
        }
    }
    if !mistakes.isEmpty { throw DefinitionProblems(mistakes) }
    return definitions
}

/// The variables of this process.
func environment() -> [String: String] { PipelineDefinition.environment }
