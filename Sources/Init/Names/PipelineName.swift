import SluiceDefinition

/// What the pipeline of a draft is called.
enum PipelineName {
    /// As its file, or else as its archive, or the folder of its feeds, or the first of these.
    ///
    /// - Parameters:
    ///   - given: the feeds as the user named them.
    ///   - locations: where these are.
    ///   - output: the file of the definition, where there is one.
    static func of(_ given: [String], _ locations: [String], output: String?) -> String {
        if let output {
            let file = output.split(separator: "/").last.map(String.init) ?? output
            return file.split(separator: ".").first.map(String.init) ?? file
        }
        let name = given.count == 1 && locations != given ? Names.feed(given[0]) : ofFolder(locations)
        return name.isEmpty ? "feed" : name.lowercased()
    }

    /// As the folder that has all of the feeds, or else as the first of them.
    private static func ofFolder(_ locations: [String]) -> String {
        let folders = locations.map { $0.split(separator: "/").dropLast().last.map(String.init) ?? "" }
        let folder = locations.count > 1 && Set(folders).count == 1 ? folders[0] : ""
        return folder.isEmpty ? Names.feed(locations[0]) : Names.words(folder).joined(separator: "-")
    }
}
