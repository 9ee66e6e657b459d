import SluiceExtract
import SluiceRecords

/// Holds the files of a source to one another where there are several: an error that was saved in place of one, or a
/// file that is still being written, looks like a file without records, whose objects are gone.
final class FileSeries {
    /// A file without a record that has nothing of what leads to records.
    struct OddFile: Sendable {
        /// Its number.
        var file: Int
        /// What it holds instead; nil: nothing.
        var found: String?
    }

    private let places: [Path]
    private let header: ForeignHeader?
    private let isTable: Bool
    /// The file that is read.
    private var watch: PageWatch?
    /// Whether the document is a list, in files with records.
    private var isList: Bool?
    /// The first.
    private(set) var odd: OddFile?

    /// Nil: there is one file, or what it holds cannot be told from what it should.
    ///
    /// - Parameters:
    ///   - source: the index of the source in the model.
    ///   - isPart: whether the input is one of several files, of which nothing is known here.
    init?(_ input: FeedInput, of model: Model, source: Int, isPart: Bool = false) {
        guard input.web == nil, isPart || input.feed.files.count > 1 else { return nil }
        isTable = input.format.isTable
        guard input.format == .json || isTable && input.source.table.hasHeader else { return nil }
        places = isTable ? [] : PageForm.places(of: model, source: source)
        header = isTable ? ForeignHeader(input, of: model, source: source) : nil
    }

    /// The bytes of the next file, which are looked at while they are read.
    ///
    /// - Parameter hasRecords: whether the file has shown a record: then nobody asks what else it has.
    func watch(_ bytes: any ByteSource, hasRecords: @escaping () -> Bool) -> any ByteSource {
        // The first odd file is told, and no other.
        let watch = PageWatch(bytes, odd == nil ? places : [], while: { !hasRecords() })
        self.watch = watch
        return watch
    }

    /// Looks at a file that has been read.
    ///
    /// - Parameter name: what messages call it.
    /// - Throws: what the file says, where that is an error.
    func endFile(_ number: Int, named name: String, records: UInt64) throws(Failure) {
        guard let watch else { return }
        self.watch = nil
        if records > 0 {
            // One of them is enough: most files have records.
            if isList == nil, !isTable { isList = JSONBeginning.root(of: watch.beginning)?.isList }
            return
        }
        if !isTable, let statement = PageStatement(beginning: watch.beginning), statement.isError {
            throw Failure(.data, "\(name) holds no record, and says \(statement.text)")
        }
        guard odd == nil else { return }
        if isTable {
            odd = oddTable(watch.beginning, number)
        } else if isOdd(watch) {
            let obstacle = FeedShape(beginning: watch.beginning).obstacle(for: places)
            odd = OddFile(file: number, found: obstacle?.description ?? "no place of records")
        }
    }

    /// What is wrong with the only file, if it is one of several; nil: nothing.
    func fault(ofFile name: String, records: UInt64) -> (text: String, isError: Bool)? {
        do throws(Failure) {
            try endFile(0, named: name, records: records)
        } catch {
            return (error.message, true)
        }
        return odd.map { odd in
            let what = odd.found.map { "has nothing of what leads to records: \($0)" } ?? "is empty"
            return ("\(name) \(what)", false)
        }
    }

    private func oddTable(_ beginning: [UInt8], _ number: Int) -> OddFile? {
        if beginning.withoutByteOrderMark.allSatisfy({ $0 <= 0x20 }) { return OddFile(file: number, found: nil) }
        return header?.complaint(of: beginning).map { OddFile(file: number, found: $0) }
    }

    /// Whether nothing is at any place: an empty list is something, and so is null in its place.
    private func isOdd(_ watch: PageWatch) -> Bool {
        guard let root = JSONBeginning.root(of: watch.beginning) else { return false }
        if let isList, isList != root.isList { return true }
        return zip(places, watch.values).allSatisfy { place, value in
            place.steps.isEmpty ? !root.isContainer : value == .absent
        }
    }
}

extension JSONNode {
    fileprivate var isList: Bool { if case .array = kind { true } else { false } }

    fileprivate var isContainer: Bool {
        switch kind {
        case .array, .object: true
        case .null, .boolean, .number, .string: false
        }
    }
}
