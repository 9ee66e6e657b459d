import SluiceExtract
import SluiceFetch
import SluiceRecords
import SluiceReport

/// The objects of a source, one after the other.
final class ObjectReading: Sendable {
    /// How many objects are got beside each other.
    private static let most = 4

    private let input: FeedInput
    private let downloads: PartedFeed
    private let archives: DistantArchives
    /// The objects that are here already, since another source reads of them, too.
    private let held: Set<Int>

    /// Those of an input; nil: it has none.
    init?(_ input: FeedInput, _ session: FetchSession, _ archives: DistantArchives? = nil) {
        guard let objects = input.objects else { return nil }
        let archives = archives ?? DistantArchives([input])
        let held = Set(objects.indices.filter { archives.holds(input, $0) })
        let parts = objects.indices.filter { !held.contains($0) }.map { index in
            let etag = objects[index].etag
            return PartedFeed.Part(
                address: objects[index].address, name: input.files[index], etag: etag.isEmpty ? nil : etag)
        }
        (self.input, self.archives, self.held) = (input, archives, held)
        downloads = PartedFeed(
            ObjectBucket.request(objects.first?.address ?? ""), parts, session, requests: ObjectReading.most)
    }

    /// The download of an object, which is the next of those that are not here; nil: it is, or there is none.
    func download(_ index: Int) throws(Failure) -> WebFeed? {
        guard index < input.files.count, !held.contains(index) else { return nil }
        return try downloads.next()?.feed
    }

    /// The bytes of an object, or of a file in it, uncompressed; nil: there is none in the archive that it is.
    func bytes(_ index: Int, _ download: WebFeed?) throws(Failure) -> (any ByteSource)? {
        if let member = input.member {
            return try archives.feed(member, of: input, index) { () throws(Failure) in
                guard let download else { throw Failure(.defect, "\(input.files[index]) was kept, and is not there") }
                return try WebArchive(download).file()
            }
        }
        return try download?.nextPage()
    }

    func stop() { downloads.stop() }

    func end() { downloads.end() }
}
