import Extract

/// Reads what a pipeline says beside its sources and entities.
struct SettingsReader {
    let context: DefinitionContext
    let pipeline: DefinitionObject

    func store() -> String {
        guard let node = pipeline.required("store"),
            let object = DefinitionObject(node, "\"store\"", keys: DefinitionKeys.store, in: context),
            let path = object.required("sqlite")
        else { return "" }
        if path.text == ":memory:" {
            context.mistake("a store is a file; a run with --dry-run keeps nothing", at: path.position)
        }
        return object.filePath("sqlite", for: .store) ?? ""
    }

    func archive() -> PipelineDefinition.Archive? {
        guard let node = pipeline["archive"],
            let object = DefinitionObject(node, "\"archive\"", keys: DefinitionKeys.archive, in: context)
        else { return nil }
        _ = object.required("directory")
        let directory = object.filePath("directory", for: .archive) ?? ""
        return PipelineDefinition.Archive(directory: directory, keep: object.integer("keep", atLeast: 1))
    }

    func ledgerKeep() -> Int? {
        guard let node = pipeline["ledger"],
            let object = DefinitionObject(node, "\"ledger\"", keys: DefinitionKeys.ledger, in: context)
        else { return PipelineDefinition.defaultLedgerKeep }
        guard let keep = object["keep"] else { return PipelineDefinition.defaultLedgerKeep }
        switch keep.kind {
        case .null: return nil
        case .number(let text):
            if let count = wholeNumber(text), count >= 1 { return count }
        default: break
        }
        context.wrong("keep", keep, expected: "a whole number of at least 1, or null for all")
        return PipelineDefinition.defaultLedgerKeep
    }

    func limits() -> Limits {
        var limits = Limits()
        guard let node = pipeline["limits"],
            let object = DefinitionObject(node, "\"limits\"", keys: DefinitionKeys.limits, in: context)
        else { return limits }
        limits.rejects = limit("rejects", object) ?? limits.rejects
        limits.unresolved = limit("unresolved", object) ?? limits.unresolved
        limits.duplicates = limit("duplicates", object) ?? limits.duplicates
        limits.deletes = limit("deletes", object) ?? limits.deletes
        return limits
    }

    private func limit(_ key: String, _ object: DefinitionObject) -> Limit? {
        guard let node = object[key] else { return nil }
        switch node.kind {
        case .null: return Limit.none
        case .number(let text):
            if let count = wholeNumber(text), count >= 0 { return .count(count) }
        case .string(let text):
            if let percent = share(text) { return .share(percent: percent) }
        default: break
        }
        context.wrong(key, node, expected: "a whole number, a share from \"0%\" to \"100%\", or null")
        return nil
    }

    /// The number before a percent sign: digits, and perhaps a fraction.
    private func share(_ text: String) -> Double? {
        let parts = text.utf8.dropLast().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard text.utf8.last == UInt8(ascii: "%"), areDigits, parts.count <= 2,
            let percent = Double(text.dropLast()), percent <= 100
        else { return nil }
        return percent
    }
}
