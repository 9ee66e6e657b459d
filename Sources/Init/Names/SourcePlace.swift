import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// What a source of a draft is called, and where it is.
struct SourcePlace {
    let name: String
    let location: String
    /// Which file of the archive that is there.
    let member: String?

    /// - Parameter file: the definition, to whose folder paths are relative.
    static func all(of locations: FeedLocations, from file: String?) -> [SourcePlace] {
        var taken: Set<String> = []
        return locations.all.map { location in
            let name = free(base(of: location, locations), &taken)
            if let place = locations.archives[location] {
                let archive = locations.pattern(ofArchive: place.archive) ?? place.archive
                return SourcePlace(name: name, location: archive, member: place.path)
            }
            let place = FeedPath(location)
            let path = RelativePath.path(locations.pattern(ofArchive: place.file) ?? place.file, from: file)
            return SourcePlace(name: name, location: path, member: place.member)
        }
    }

    /// The name of a feed; of `books-*.json`, what is before the number.
    private static func base(of location: String, _ locations: FeedLocations) -> String {
        let name = Names.file(location).replacingExactly("=", with: "-")
        guard locations.files(of: location) != nil, let last = name.lastIndex(where: { !"-_.".contains($0) }) else {
            return name
        }
        return String(name[...last])
    }

    private static func free(_ base: String, _ taken: inout Set<String>) -> String {
        var (name, number) = (base, 2)
        while !taken.insert(name).inserted {
            name = base + String(number)
            number += 1
        }
        return name
    }
}
