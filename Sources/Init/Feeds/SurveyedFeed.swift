import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

/// What a feed is made of.
@safe
final class SurveyedFeed {
    let bytes: SurveyedBytes
    /// Whether the names of its files tell them apart.
    let fileNames: FileNames
    /// The ending that all its files have, `.json`, if they are told apart by what is before it.
    let ending: String
    private(set) var form: FeedForm
    /// What its answer says, if it is one.
    private(set) var service = ServiceGuess()
    private var observer: UnsafeMutablePointer<ShapeObserver>
    private(set) var splits: [ListSplit] = []
    /// Lists whose positions are places of their own.
    private var positional: [PositionalList] = []
    /// So deep lists within each other may have such positions.
    private static let mostLevels = 3
    private(set) var entities: [DraftEntity] = []
    /// Whether nobody has said that it is JSON, nor does its name.
    private let isUnnamed: Bool
    /// What in it is no record, or not as it should be.
    var flaws = FeedFlaws()
    /// What stands at the top, and in no list and no map.
    private(set) var left: [[ShapeStep]] = []

    /// - Parameters:
    ///   - files: those of a pattern, which are of one shape; nil: it is one file, or an answer.
    ///   - format: nil: as the name says.
    init(
        _ location: String, files: [String]? = nil, in archives: FetchedArchives, index: Int,
        format: Source.Format? = nil, copies: FeedCopies
    ) {
        bytes = SurveyedBytes(location, files: files ?? [location], index: index, in: archives, copies: copies)
        fileNames = FileNames(bytes.files)
        ending = fileNames == .differ ? FileNames.ending(of: bytes.files) : ""
        form = FeedForm(format: format ?? Source.Format(fileName: location))
        isUnnamed = format == nil && form.format == .json && !location.lowercased().contains(".json")
        unsafe observer = .allocate(capacity: 1)
        unsafe observer.initialize(to: ShapeObserver(maxDepth: FeedOptions().maxDepth, format: form.format))
    }

    deinit {
        unsafe observer.pointee.deallocate()
        unsafe observer.deinitialize(count: 1)
        unsafe observer.deallocate()
    }

    var location: String { bytes.location }
    var files: [String] { bytes.files }
    var index: Int { bytes.index }
    var isWeb: Bool { bytes.isWeb }
    /// Whether it is an answer of a web service that may have further pages.
    var isAnswer: Bool { bytes.web != nil && form.format == .json }
    var tree: ShapeTree { unsafe observer.pointee.tree }
    /// Whether each file is a document. The values of sequences, and rows, are one behind the other whatever file they
    /// are in.
    var isOfFiles: Bool { files.count > 1 && form.format == .json }
    /// Whether the format must be said, as the name does not.
    var needsFormat: Bool { form.format != Source.Format(fileName: location) }

    /// Finds what the feed is made of.
    func observe() throws(Failure) {
        let start = try beginning()
        if isUnnamed, !isWeb || bytes.archives[location] != nil,
            let table = TableGuess.format(of: Array(start.prefix(TableGuess.mostBytes)))
        {
            form.format = table
        }
        if form.encoding == nil { form.encoding = TextEncoding.marked(by: start) }
        if form.format.isTable { form.table = try TableSurvey(of: self).form() }
        try refuseDefinition(start)
        do throws(Failure) {
            try observeValues()
        } catch {
            guard form.encoding == nil else { throw error }
            // What is no UTF-8 is, as a rule, what programs of Windows write.
            if try !TextEncoding.isUTF8(open()) {
                do throws(Failure) { return try observeAsWindows() } catch { try passBrokenLines(error) }
            } else {
                try passBrokenLines(error)
            }
        }
        try passAsideRows()
        try tellPositionsApart()
        splits = unsafe ListSplit.candidates(in: observer.pointee)
        if !splits.isEmpty { try tellKindsApart() }
        findEntities()
        try refuseError()
        guard let web = bytes.web else {
            service.pageInFile = try pageInFile()
            return
        }
        let answer = try answer()
        let hasLink = web.pageNotes.contains(where: \.hasWay)
        service.pages = PageGuess(answer, hasLink: hasLink, query: PageGuess.query(of: location))
        service.fails = answer.flatMap(FailsGuess.init)
        for entity in entities { entity.place.isOfPage = service.pages != nil }
    }

    private func observeValues() throws(Failure) {
        do throws(Failure) {
            try observe([])
        } catch {
            // One value behind the other, in a file whose name does not say so.
            guard form.format == .json, error.message.contains("\"format\": \"lines\"") else { throw error }
            form.format = .lines
            try observe([])
        }
    }

    /// Looks at what is left of a sequence without a few lines that are no values.
    ///
    /// - Parameter failure: what is wrong with the first of them.
    private func passBrokenLines(_ failure: Failure) throws(Failure) {
        form.encoding = nil
        guard form.format == .lines, let lines = try BrokenLines(files, form.options, open: open) else { throw failure }
        flaws.broken = lines
        try observe([])
    }

    /// Looks at what is left of a table without sums and notes, which say nothing of what records are.
    private func passAsideRows() throws(Failure) {
        guard form.format.isTable else { return }
        flaws.nonRecords = try NonRecordSearch.find(in: self)
        if flaws.nonRecords?.areLeftOut == true { try observe([]) }
    }

    /// Takes the feed for one in windows-1252.
    private func observeAsWindows() throws(Failure) {
        form.encoding = "windows-1252"
        do throws(Failure) {
            try observe()
        } catch {
            throw try EncodingGuess.failure(of: self) ?? error
        }
    }

    /// Takes the pages of another answer of the same service that is of the same shape, where its own answer does not
    /// say how the next one is asked for.
    func guessPages(from feeds: [SurveyedFeed]) {
        guard isAnswer, service.pages?.members.isEmpty ?? true else { return }
        let shape = AnswerShape(tree)
        let sibling = feeds.first { other in
            other !== self && other.isAnswer && AnswerShape.areOfOneService(location, other.location)
                && shape.isLike(AnswerShape(other.tree)) && other.service.pages?.isOfAnother == false
                && other.service.pages?.members.isEmpty == false
        }
        guard let sibling, let known = sibling.service.pages else { return }
        service.pages = PageGuess(like: known, of: sibling.location, own: service.pages)
    }

    private func observe(_ splits: [ListSplit]) throws(Failure) {
        unsafe observer.pointee.deallocate()
        unsafe observer.pointee = ShapeObserver(
            maxDepth: FeedOptions().maxDepth, format: form.format, isOfFiles: isOfFiles, splits: splits,
            positional: positional)
        for split in splits { split.rewind() }
        let observer = unsafe observer
        try unsafe read(ShapeObserver.events, observer) { unsafe observer.pointee.tokens }
    }

    /// Looks at each position of some lists by itself. What is in one may have such lists, too.
    private func tellPositionsApart() throws(Failure) {
        if form.format.isTable { return }
        for _ in 0..<SurveyedFeed.mostLevels {
            guard !candidates.isEmpty else { return }
            // What is in maps is one place.
            unsafe observer.pointee.settle()
            let known = positional.count
            positional += candidates
            try observe([])
            var hasChanged = false
            for place in positional.indices.dropFirst(known) {
                if unsafe positional[place].settleHeader(observer.pointee) { hasChanged = true }
            }
            if hasChanged { try observe([]) }
        }
    }

    private var candidates: [PositionalList] { PositionalList.candidates(in: tree, isSequence: form.format != .json) }

    private func tellKindsApart() throws(Failure) {
        try observe(splits)
        let right = splits.filter { $0.isRight(in: tree) }
        guard right.count < splits.count else { return }
        splits = right
        try observe(splits)
    }

    private func findEntities() {
        let tops = [0] + splits.flatMap(\.nodes)
        unsafe observer.pointee.settle()
        let doubtful = unsafe observer.pointee.doubtful
        let trees = unsafe withUnsafeMutablePointer(to: &observer.pointee.tree) { tree in
            var trees = unsafe RecursionFinder(tree, isOfOneValue: form.format == .json && !isOfFiles)
            for top in tops { trees.settle(top) }
            for (element, root) in trees.found where root >= 0 {
                unsafe tree.pointee.addMembers(of: root, to: element)
            }
            return trees.found
        }
        let alone = unsafe withUnsafeMutablePointer(to: &observer.pointee.tree) { tree in
            var mixed = unsafe OneOrManyFinder(tree)
            if splits.isEmpty, trees.isEmpty { mixed.settle(0) }
            return mixed.found
        }
        var finder = EntityFinder(
            feed: index, tree, isLines: form.format != .json, splits: splits, trees: trees, doubtful: doubtful,
            titles: unsafe observer.pointee.titles, fileNames: fileNames)
        finder.alone = alone
        finder.find()
        (entities, left) = (finder.entities, finder.left)
        for entity in entities {
            (entity.place.isOfTable, entity.place.fileNames) = (form.format.isTable, fileNames)
            entity.place.hasSemicolons = form.table.delimiter == UInt8(ascii: ";")
            (entity.omissions.blankRows, entity.omissions.nonRecords) = (flaws.unused.blank, flaws.nonRecords)
        }
    }
}
