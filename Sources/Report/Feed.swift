import SluiceRecords

/// A source with its files.
public struct Feed: Sendable, Hashable {
    /// The name of the source.
    public var source: String
    /// As the definition or the command line names it: a path, a pattern, or `-`.
    public var location: String
    /// The files that were read, in their order.
    public var files: [String]
    /// Whether a web service gives it in pages: then there are as many as came.
    public var isPaged = false
    /// Whether a value of its records is the name of the file, or the file is a saved page: then a place has it,
    /// although there is one file only.
    package var isNamed = false
    /// What the pages are called, as far as they have come, where that is more than a number.
    package var pages: PageNames?

    /// What is known of a feed before it is read.
    package init(
        source: String, location: String, files: [String], isPaged: Bool = false, pages: PageNames? = nil
    ) {
        self.source = source
        self.location = location
        self.files = files
        self.isPaged = isPaged
        self.pages = pages
    }

    /// Whether a place needs the name of its file.
    var isSeveral: Bool { isPaged || isNamed || files.count > 1 }

    /// The number of a file, or of a page, that a report names; it is added if it is not there.
    mutating func number(ofFile name: String) -> Int {
        if isPaged {
            let pages = pages ?? PageNames()
            self.pages = pages
            return pages.number(of: name)
        }
        if !files.containsExactly(name) { files.append(name) }
        return files.firstIndex { $0.isIdentical(to: name) } ?? 0
    }

    /// What a file, or a page, is called.
    package func name(ofFile index: Int) -> String {
        if isPaged { return pages?[index] ?? "\(location) (page \(index + 1))" }
        return files.indices.contains(index) ? files[index] : location
    }
}

extension [Feed] {
    /// The feed of a place. Where a reference waits is read from the store, and a store may say anything.
    func feed(at position: RecordPositionKey) -> Feed {
        indices.contains(position.source)
            ? self[position.source] : Feed(source: "?", location: "an unknown feed", files: [])
    }
}
