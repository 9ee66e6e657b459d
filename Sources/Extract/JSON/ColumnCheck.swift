import SluiceRecords

/// Compares what a document says of the columns of its records with what the definition expects, while it is read.
final class ColumnCheck: ByteSource {
    private let bytes: any ByteSource
    private let name: String
    /// The lists that have not been met.
    private var open: [(columns: NamedColumns, scanner: MemberScanner)]

    /// - Parameter name: what errors call the file.
    init(_ bytes: any ByteSource, _ columns: [NamedColumns], named name: String) {
        self.bytes = bytes
        self.name = name
        open = columns.map { ($0, MemberScanner($0.listSteps, keepsList: true)) }
    }

    var consumed: Int { bytes.consumed }

    /// Throws as soon as a list has ended that says something else: mostly it stands before the records.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe bytes.read(into: buffer)
        for index in open.indices.reversed() {
            unsafe open[index].scanner.scan(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if open[index].scanner.isDone { try settle(open.remove(at: index)) }
        }
        return count
    }

    /// Throws where the document has ended without one of the lists.
    func finish() throws(Failure) {
        for (columns, scanner) in open { try settle((columns, scanner)) }
    }

    private func settle(_ met: (columns: NamedColumns, scanner: MemberScanner)) throws(Failure) {
        let place = "`\(met.columns.path.description)`, in which \"columns\" looks"
        if met.scanner.isListTooLong {
            let most = MemberScanner.mostOfList >> 20
            throw Failure(.data, "\(name): the list at \(place), is longer than \(most) MiB: it names no columns")
        }
        guard let text = met.scanner.list, case .array(let list)? = try? JSONTree.read(text, file: name).root.kind
        else {
            throw Failure(.data, "\(name): there is no list at \(place)")
        }
        if let fault = met.columns.fault(in: list) { throw Failure(.data, fault.message(named: name)) }
    }
}
