import SluiceExtract
import SluicePostgreSQL
import SluiceRecords
import SluiceSeed

/// Reads what a pipeline says beside its sources and entities.
struct SettingsReader {
    let context: DefinitionContext
    let pipeline: DefinitionObject

    func store() -> String {
        guard let node = pipeline.required("store"),
            let object = DefinitionObject(
                node, "\"store\"", keys: DefinitionKeys.store,
                meant: { $0.asMember { ServerAddress.isMeant(by: $0) ? nil : "sqlite" } }, in: context)
        else { return "" }
        if object["postgresql"] != nil {
            if object["sqlite"] != nil {
                context.mistake("a store is one of \"sqlite\" and \"postgresql\"", at: object.position)
            }
            return ""
        }
        guard let path = object.required("sqlite") else { return "" }
        if path.text == ":memory:" {
            context.mistake("a store is a file; a run with --dry-run keeps nothing", at: path.position)
        }
        if let text = path.text, ServerAddress.isMeant(by: text) {
            context.mistake(
                "a database on a server is no file: say \"postgresql\": { \"database\": … } in place of \"sqlite\"",
                at: path.position)
            return ""
        }
        return object.filePath("sqlite", for: .store) ?? ""
    }

    func archive() -> PipelineDefinition.Archive? {
        guard let node = pipeline["archive"],
            let object = DefinitionObject(
                node, "\"archive\"", keys: DefinitionKeys.archive, meant: { $0.asMember { _ in "directory" } },
                in: context)
        else { return nil }
        _ = object.required("directory")
        let directory = object.outputPath("directory", for: .archive) ?? ""
        return PipelineDefinition.Archive(directory: directory, keep: object.integer("keep", atLeast: 1))
    }

    func seed() -> PipelineDefinition.Seed? {
        guard let node = pipeline["seed"],
            let object = DefinitionObject(node, "\"seed\"", keys: DefinitionKeys.seed, in: context)
        else { return nil }
        var seed = PipelineDefinition.Seed()
        seed.directory = object.outputPath("directory", for: .seed)
        seed.keep = object.integer("keep", atLeast: 1)
        seed.level = object.integer("level", atLeast: SeedBuild.levels.lowerBound, atMost: SeedBuild.levels.upperBound)
        seed.sign = object.filePath("sign", for: .seed)
        return seed
    }

    func keeping() -> PipelineDefinition.Keeping {
        PipelineDefinition.Keeping(
            runs: ledgerKeep(), changes: pipeline.integer("changes", atLeast: 0) ?? 0,
            fingerprints: pipeline.boolean("fingerprints") ?? true, history: history())
    }

    private func history() -> HistoryUse? {
        guard let node = pipeline["history"] else { return nil }
        if case .boolean(let isKept) = node.kind { return isKept ? .kept(nil) : .forgotten }
        guard case .object = node.kind,
            let object = DefinitionObject(node, "\"history\"", keys: DefinitionKeys.history, in: context)
        else {
            context.wrong("history", node, expected: "true, false or an object")
            return nil
        }
        guard let keep = object["keep"] else { return .kept(nil) }
        switch keep.kind {
        case .number(let text):
            if let count = wholeNumber(text), count >= 1 { return .kept(.runs(count)) }
        case .string(let text):
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            if words.count == 2, words[1] == "days", words[0].allSatisfy({ ("0"..."9").contains($0) }),
                !words[0].hasPrefix("0"), let count = Int(words[0])
            {
                return .kept(.days(count))
            }
        default: break
        }
        context.wrong("keep", keep, expected: "a whole number of at least 1, or days, such as \"400 days\"")
        return nil
    }

    private func ledgerKeep() -> Int? {
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
}
