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

    /// Whether a source asks a service at an address, be it with other parameters in the query.
    static func isOfService(_ source: Source, _ location: String) -> Bool {
        guard case .web(let web) = source.location else { return false }
        return withoutQuery(web.request.url).elementsEqual(withoutQuery(location))
    }

    private static func withoutQuery(_ address: String) -> Substring.UTF8View {
        address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    }
}
