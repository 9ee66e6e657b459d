import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords

extension DistantListing {
    /// The objects that a pattern names, which may be none.
    func objects(_ pattern: ObjectPattern) throws(Failure) -> [ListedObject] {
        try listed { () throws(Failure) in
            try ObjectBucket(pattern.bucket, FetchSession(control, meter)).objects(pattern)
        }
    }

    /// The objects that a text of the command line names, and the path of the feed in each, where they are archives.
    ///
    /// - Throws: `usage` where it names none; `missing` where there is none.
    func objects(named text: String) throws(Failure) -> (objects: [ListedObject], member: String?) {
        let found = try objects(ObjectPattern(named: text))
        if !found.isEmpty { return (found, nil) }
        if let place = FeedPath.cut(elsewhere: text), let pattern = try? ObjectPattern(place.archive) {
            let archives = try objects(pattern)
            if !archives.isEmpty { return (archives, place.member) }
        }
        throw Failure(.missing, "no object of \(text) exists")
    }
}

extension FeedInput {
    /// A source of objects, which are listed.
    static func listed(
        _ source: Source, _ place: ObjectSource, _ listing: DistantListing
    ) throws(Failure) -> FeedInput {
        let objects = try listing.objects(place.pattern)
        guard !objects.isEmpty || source.isNew else {
            throw Failure(.missing, "no object of \(place.pattern.text) exists")
        }
        let distant = DistantPlace(member: place.member, meter: listing.meter)
        return FeedInput(source, place.name, elsewhere: .objects(objects, distant))
    }

    /// A source that reads some objects in place of its own feed.
    static func overridden(
        _ source: Source, objects text: String, _ listing: DistantListing
    ) throws(Failure) -> FeedInput {
        let (objects, member) = try listing.objects(named: text)
        let distant = DistantPlace(member: member, meter: listing.meter)
        return FeedInput(source, text, elsewhere: .objects(objects, distant))
    }

    /// Has the saved files of a replay read, where they are objects.
    mutating func useSaved(objects files: [RunOptions.SavedFile], _ listing: DistantListing) throws(Failure) {
        guard let first = files.first(where: { ObjectFolder.names($0.path) }) else { return }
        if let other = files.first(where: { !ObjectFolder.names($0.path) }) {
            throw Failure(.usage, "\(first.path) is an object, and \(other.path) a file: a source has one or the other")
        }
        var (objects, names, parents) = ([ListedObject](), [String](), [[ExactText: Literal]]())
        var place = DistantPlace(member: nil, meter: listing.meter)
        let known = try FeedInput.listedByName(files, listing)
        for (file, values) in zip(files, self.parents) {
            var found = known[ExactText(file.path)].map { [$0] }
            if found == nil {
                let named = try listing.objects(named: file.path)
                guard files.count == 1 || named.member == nil else {
                    throw Failure(
                        .usage, "\(file.path) is in an archive: it cannot be one of several feeds of a source")
                }
                (found, place.member) = (named.objects, named.member)
            }
            for object in found ?? [] {
                objects.append(object)
                names.append(file.name.isIdentical(to: file.path) ? place.name(object.name) : file.name)
                parents.append(values)
            }
        }
        (self.files, self.parents, origin) = (names, parents, .objects(objects, place))
    }

    /// The objects of the folder of the first, by their names: where there are many, they are not asked for one by one.
    private static func listedByName(
        _ files: [RunOptions.SavedFile], _ listing: DistantListing
    ) throws(Failure) -> [ExactText: ListedObject] {
        guard files.count > 2, let pattern = try? ObjectPattern(files[0].path) else { return [:] }
        guard !PathPattern.isPattern(pattern.text) else { return [:] }
        // Names of saved feeds of one run begin alike.
        let common = files.dropFirst().reduce(pattern.text) { $0.commonPrefix(with: $1.path) }
        guard let all = try? ObjectPattern(common + "*") else { return [:] }
        let found = try listing.objects(all)
        return Dictionary(found.map { (ExactText($0.name), $0) }) { first, _ in first }
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        let count = zip(utf8, other.utf8).prefix { $0 == $1 }.count
        return String(validating: utf8.prefix(count), as: UTF8.self) ?? ""
    }
}
