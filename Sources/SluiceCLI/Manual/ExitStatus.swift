import SluiceRecords

extension Failure.Kind {
    /// What the exit status says, as the manual has it and Documentation/command.md begins.
    var meaning: String {
        switch self {
        case .usage: "the command line is wrong"
        case .data:
            "the feed is not valid JSON, asks for too much, or changed while it was read, or a limit was exceeded"
        case .missing:
            "a feed or a definition does not exist, or no file matches a pattern; the store or the run that is asked "
                + "for does not exist"
        case .unavailable:
            "a web service, or the server of a store, cannot be reached, keeps failing, or refuses a request"
        case .defect: "a defect in sluice"
        case .uncreatable: "the store, a report or a file of findings cannot be created"
        case .io:
            "reading or writing failed: a full disk, a damaged store, a store that was deleted or replaced during the "
                + "run; or the system does not give what a run needs"
        case .busy: "another run holds this store, or another program keeps it locked"
        case .refused: "a feed may not be read, or a store not without writing to it"
        case .definition: "the definition is wrong, contradicts the store or lacks a variable"
        case .cancelled: "ended by SIGINT (Ctrl-C), cleanly. Likewise 129 by SIGHUP and 143 by SIGTERM"
        }
    }
}
