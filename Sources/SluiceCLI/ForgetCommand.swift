import Sluice
import SluiceRecords

extension Command {
    static let forget = Command(
        name: "forget", arguments: "PIPELINE ENTITY IDENTIFIER",
        summary: "take what an object has been out of the history, for good",
        detail: """
            Takes the past of the object IDENTIFIER of ENTITY out of the store of the pipeline
            definition PIPELINE: its past versions and links, and what is left of them in free
            pages. What the object is stays. The store is written anew, which takes as much space
            as it does, for a while. The ledger says that it was done, and not of whom.
            """,
        options: [
            Option("store", value: "FILE", "write to this store instead, a file")
        ],
        run: { arguments in
            let words = arguments.positional
            guard words.count == 3 else {
                throw UsageError(
                    words.count < 3
                        ? "PIPELINE, ENTITY and IDENTIFIER are needed"
                        : "forget takes one PIPELINE, one ENTITY and one IDENTIFIER")
            }
            let store = arguments.last("store")
            let definition = try readDefinition(words[0], store: store)
            try definition.require([.settings, .entities] + (store == nil ? [.store] : []))
            let names = definition.model.entities.map(\.name)
            guard names.containsExactly(words[1]) else {
                throw UsageError("there is no entity \(words[1])", nearest: words[1], among: names)
            }
            let count = try definition.forgetPast(of: words[1], words[2], in: store)
            try printOutput(
                count == 0
                    ? "There is no past to forget.\n"
                    : "\(count) past version\(count == 1 ? " is" : "s are") forgotten.\n")
            return 0
        })
}
