import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords
import SluiceReport

/// A source with the files that a run reads of it.
struct FeedInput: Sendable {
    var source: Source
    var location: String
    /// As findings name them.
    var files: [String]
    var origin = FeedOrigin.files(copies: nil)
    /// Of a replay, by file: the values that records take of the record for which a service was asked.
    var parents: [[ExactText: Literal]] = []
    /// Whether it reads what the definition names, and nothing in its place.
    var isOwn = false
    /// Whether there may be nothing to read: the definition says so of all its entities.
    var mayBeMissing = false
    /// Whether a value of its records is the name of the file.
    var takesFileName = false
    /// Of a replay: whether its files are pages of a service.
    var arePages = false
    /// Whether it is what a run has saved of all that it read.
    var isSaved = false

    var feed: Feed {
        var feed = Feed(
            source: source.name, location: location, files: files, isPaged: web?.isPaged == true, pages: pages)
        feed.isNamed = takesFileName || arePages
        return feed
    }

    /// The format of the feed: that of the definition; else by the name of the file, or by that of the source's own
    /// file, in whose place it is read.
    var format: FeedOptions.Format {
        // The name of a program is not that of a file.
        if case .command = origin { return source.format ?? .json }
        let names = [paths.first ?? location, source.location.name]
        return source.format ?? names.map { Source.Format(fileName: $0) }.first { $0 != .json } ?? .json
    }

    /// The records for which its service was asked, or is to be asked; nil: there are none.
    var parentsOfAnswers: WebSource.Parents? { isSaved ? source.service?.parents : web?.parents }

    /// How the source is read.
    func options(batchSize: Int) -> FeedOptions {
        var options = FeedOptions()
        options.format = format
        options.encoding = source.encoding
        options.table = source.table
        options.table.delimiter = source.delimiter ?? UInt8(ascii: format == .tsv ? "\t" : ",")
        options.columns = source.columns
        options.maxText = source.maxText
        options.maxRecord = source.maxRecord
        options.maxDepth = source.maxDepth
        options.nullIsNothing = source.isPaged
        options.batchSize = batchSize
        return options
    }

    /// The files on this machine that some inputs are read from, by input; of what comes from elsewhere, none.
    static func localPaths(_ inputs: [FeedInput]) -> [[String]] { inputs.map { $0.isFromFiles ? $0.paths : [] } }

    /// How those of some inputs are read that are tables, or not in UTF-8, by their indices.
    static func forms(_ inputs: [FeedInput]) -> [Int: FeedOptions] {
        var forms: [Int: FeedOptions] = [:]
        for (index, input) in inputs.enumerated() where input.format.isTable || input.source.encoding != nil {
            forms[index] = input.options(batchSize: 1)
        }
        return forms
    }

    /// The bytes of all files of some inputs, as they are stored; 0 where one of them is no file.
    static func byteCount(_ inputs: [FeedInput]) -> Int {
        var total = 0
        guard inputs.allSatisfy(\.isFromFiles) else { return 0 }
        for file in inputs.flatMap(\.paths) {
            var status = stat()
            // The size of a member of an archive is not known before it is read.
            guard file != "-", FeedPath(file).member == nil, unsafe stat(file, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return 0 }
            total += Int(status.st_size)
        }
        return total
    }

}

extension Model {
    /// Whether a value of a source's records is something of where they stand: `line` or `fileName`.
    func takes(_ place: ValueRule.Origin, from source: Int) -> Bool {
        entities.contains { $0.sources.contains(source) && $0.takes(place) }
    }
}
