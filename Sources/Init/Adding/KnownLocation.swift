import SluiceDefinition
import SluiceExtract
import SluicePosix

/// Whether a source of a definition reads what somebody has named.
enum KnownLocation {
    static func isOf(_ source: Source, _ location: String) -> Bool {
        switch source.location {
        case .file(let path):
            guard !location.contains("://"), location != "-" else { return false }
            let (own, other) = (RelativePath.absolute(path), RelativePath.absolute(location))
            if own.utf8.elementsEqual(other.utf8) { return true }
            return PathPattern.isPattern(path)
                && ((try? expandGlob(path)) ?? []).contains { file in
                    RelativePath.absolute(file).utf8.elementsEqual(other.utf8)
                }
        case .web(let web): return web.request.url.utf8.elementsEqual(location.utf8)
        case .command, .objects, .remote: return false
        }
    }
}
