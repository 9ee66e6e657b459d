import Sluice
import SluiceRecords

extension Command {
    static let forget = Command(
        name: "forget", arguments: "PIPELINE ENTITY IDENTIFIER",
        summary: "take what an object has been out of the history, for good",
        detail: """
            Takes the past of the object IDENTIFIER of ENTITY out of the store of the pipeline
            definition PIPELINE: its past versions and links, and what is left of them in free
            pages. What the object is stays. The store, or on a server its tables of the past, are
            written anew, which takes as much space as they do, for a while. The ledger says that it
            was done, and not of whom.
            """,
        options: [
            Option("store", value: "FILE", "write to this store instead: a file, or a database on a server")
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
            let definition = try readDefinition(ofStore: words[0], instead: store)
            try requireEntity(words[1], of: definition.model)
            let erased = try definition.erasePast(of: words[1], words[2], in: store)
            try printOutput(
                erased.isNothing
                    ? "There is no past to forget.\n"
                    : "\(erased.versions) past version\(erased.versions == 1 ? " is" : "s are") forgotten"
                        + (erased.findings == 0
                            ? ".\n"
                            : ", and \(erased.findings) finding\(erased.findings == 1 ? "" : "s") in the ledger.\n"))
            return 0
        })
}
