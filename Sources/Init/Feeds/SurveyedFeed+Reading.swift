import SluiceDefinition
import SluiceExtract
import SluicePosix
import SluiceRecords

// A feed is read once more by each that asks for its tokens.
extension SurveyedFeed {
    /// - Parameter onFile: is told which of the files comes next.
    func read(
        _ events: FeedEvents, _ context: UnsafeMutableRawPointer, tokens: () -> UInt64,
        onFile: (Int) -> Void = { _ in }
    ) throws(Failure) {
        var options = form.options
        // What it reads is recoded already.
        options.encoding = nil
        let reader = unsafe EventReader(options, events, context: context)
        // Files are told as the members of an object, by their names.
        if isOfFiles { _ = unsafe events.beginObject(context) }
        var unused = UnusedRows()
        for file in files.indices {
            onFile(file)
            if isOfFiles { unsafe tell(nameOf: file, events, context) }
            guard case .whole(let isBroken, let cells) = try reader.read(openValues(file), tokens: tokens) else {
                // The reader of runs knows what is wrong, and where.
                throw bytes.copies.explain(try reason(file), source: index, file: file)
            }
            flaws.hasHalfPairs = flaws.hasHalfPairs || isBroken
            unused.add(cells, of: file)
        }
        flaws.unused = unused
        if isOfFiles { _ = unsafe events.endObject(context) }
    }

    private func tell(nameOf file: Int, _ events: FeedEvents, _ context: UnsafeMutableRawPointer) {
        // What tells a file apart is its path, where its name does not.
        var name = fileNames == .differ ? FilePath.name(files[file]) : files[file]
        // Records elsewhere name it without its ending.
        name = String(name.dropLast(ending.count))
        name.withUTF8 { bytes in _ = unsafe events.key(context, bytes.baseAddress, bytes.count) }
    }

    /// What a run says of a file that cannot be read.
    func reason(_ file: Int) throws(Failure) -> Failure {
        let model = Model(entities: [])
        var batch = RecordBatch(model: model)
        do throws(Failure) {
            let reader = FeedReader(model: model, source: 0, options: form.options)
            _ = try reader.read(open(file), named: files[file], into: &batch) { $0 }
            return Failure(.data, "\(files[file]) holds something that cannot be looked at")
        } catch {
            return error
        }
    }

    /// - Parameter file: the index of one of its files.
    func open(_ file: Int = 0) throws(Failure) -> any ByteSource {
        try bytes.open(file, isTable: form.format.isTable)
    }

    /// Likewise, in UTF-8, without the lines of a sequence that are no values, and without the rows of a table that are
    /// no records.
    func openValues(_ file: Int) throws(Failure) -> any ByteSource {
        let bytes = try openRecoded(file)
        if let rows = flaws.nonRecords { return rows.without(bytes, file) }
        return flaws.broken?.without(bytes, file) ?? bytes
    }

    /// Likewise, in UTF-8.
    func openRecoded(_ file: Int = 0) throws(Failure) -> any ByteSource { try recoded(open(file), form.encoding) }

    /// Refuses an answer that is an error: nothing else would be drafted of it.
    func refuseError() throws(Failure) {
        guard form.format == .json, files.count == 1, tree[0].counts.objects == 1, entities.allSatisfy(\.isOfOneObject)
        else { return }
        let bytes = try open().bytes(most: ErrorAnswer.mostBytes + 1)
        guard bytes.count <= ErrorAnswer.mostBytes, let root = try? JSONTree.read(bytes, file: location).root,
            let error = ErrorAnswer(root)
        else { return }
        throw Failure(.data, "\(location) is an answer that is an error, and nothing to draft of: \(error.text)")
    }

    /// Refuses a definition, of which a draft would say what is in it, and nobody wants to know that.
    ///
    /// - Parameter beginning: the first bytes of the feed.
    func refuseDefinition(_ beginning: [UInt8]) throws(Failure) {
        guard mayBeDefinition, let root = document(beginning, most: SurveyedFeed.mostOfDefinition),
            DefinitionGuess.isDefinition(root)
        else { return }
        throw Failure(
            .data,
            "\(location) is a definition, not a feed: sluice run \(location) runs it; sluice init FEED --add \(location)"
                + " shows what it lacks of a feed")
    }

    private var mayBeDefinition: Bool { form.format == .json && files.count == 1 && !isWeb }

    /// The first bytes of the first file: as many as tell of which kind the feed is.
    func beginning() throws(Failure) -> [UInt8] {
        try open().bytes(most: mayBeDefinition ? SurveyedFeed.mostOfDefinition + 1 : TableGuess.mostBytes)
    }

    /// What is longer is no definition that anybody would take for a feed.
    private static var mostOfDefinition: Int { 1 << 20 }

    /// What a web service has answered, as a tree; nil: it is long, or no document of JSON.
    func answer() throws(Failure) -> JSONNode? {
        guard form.format == .json else { return nil }
        return document(try open().bytes(most: PageGuess.mostBytes + 1), most: PageGuess.mostBytes)
    }

    /// Why the feed, a file, seems to be one page of several; nil: nothing says so, or it is long.
    func pageInFile() throws(Failure) -> String? {
        guard form.format == .json, files.count == 1, tree[0].counts.objects == 1, tree.isSingle(0) else { return nil }
        let body = document(try open().bytes(most: SurveyedFeed.mostOfPage + 1), most: SurveyedFeed.mostOfPage)
        guard let body, let guess = PageGuess(body, hasLink: false), guess.isPartial else { return nil }
        return guess.fact
    }

    /// A longer file is none that a service has answered in pages.
    private static var mostOfPage: Int { 4 << 20 }

    /// The feed as a tree; nil: it has more bytes, or is no document of JSON.
    private func document(_ bytes: [UInt8], most: Int) -> JSONNode? {
        bytes.count > most ? nil : try? JSONTree.read(bytes, file: location).root
    }
}
