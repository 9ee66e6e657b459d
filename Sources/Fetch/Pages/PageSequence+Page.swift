import SluiceExtract
import SluiceRecords

extension PageSequence {
    /// What a page says about the next one.
    struct Page {
        var address: WebAddress
        var head: ResponseHead
        /// What is at the paths that were looked for.
        var values: [MemberScanner.Value]
        var digest: SHA256.Value
        var bytes: UInt64
        /// Of a feed without pages, or whose way may be lost: what its answer says of further pages.
        var unasked: UnaskedPages?
        /// Of an answer that was kept, and need not be asked for: when it came, in seconds since 1970.
        var keptAt: Int?
        /// Whether it was kept by a run that has succeeded.
        var isOfCache = false
    }
}

extension PageNote {
    /// With what the answer itself says.
    func adding(_ page: PageSequence.Page) -> PageNote {
        var note = self
        (note.keptAt, note.isOfCache) = (page.keptAt, page.isOfCache)
        note.isNotFound = page.head.status == 404
        return note
    }
}
