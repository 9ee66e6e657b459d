import Glibc
import SluiceExtract
import SluiceRecords
import SluiceReport

extension LedgerSources {
    /// Before anything is read.
    init(_ inputs: [FeedInput]) {
        let sources = inputs.map { input in
            Source(
                name: input.source.name, location: input.location, files: input.files,
                isPaged: input.feed.isPaged,
                sizes: input.isFromFiles && !input.source.isNew ? LedgerSources.sizes(of: input.paths) : nil)
        }
        self.init(sources: sources)
    }

    /// The sizes of regular files; nil if one is none.
    static func sizes(of files: [String]) -> [Int]? {
        var sizes: [Int] = []
        for file in files {
            var status = stat()
            guard file != "-", unsafe stat(FeedPath(file).file, &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            sizes.append(Int(status.st_size))
        }
        return sizes
    }
}
