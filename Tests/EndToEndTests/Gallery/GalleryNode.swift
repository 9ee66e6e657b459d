import Foundation

/// A value of a sample, read by another reader than Sluice's. What is absent is null.
struct GalleryNode: Decodable {
    private enum Kind {
        case null
        case flag(Bool)
        case number(Decimal)
        case text(String)
        case list([GalleryNode])
        case object([String: GalleryNode])
    }

    private let kind: Kind

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            kind = .null
        } else if let flag = try? container.decode(Bool.self) {
            kind = .flag(flag)
        } else if let number = try? container.decode(Decimal.self) {
            kind = .number(number)
        } else if let text = try? container.decode(String.self) {
            kind = .text(text)
        } else if let list = try? container.decode([GalleryNode].self) {
            kind = .list(list)
        } else {
            kind = .object(try container.decode([String: GalleryNode].self))
        }
    }

    private init(_ kind: Kind) { self.kind = kind }

    /// A sample of the gallery, such as `shop/orders.json`.
    init(sample name: String) throws {
        let file = URL(fileURLWithPath: Sluice.path("Samples/gallery/\(name)"))
        self = try JSONDecoder().decode(GalleryNode.self, from: Data(contentsOf: file))
    }

    subscript(_ key: String) -> GalleryNode { members[key] ?? GalleryNode(.null) }

    subscript(_ index: Int) -> GalleryNode { list.indices.contains(index) ? list[index] : GalleryNode(.null) }

    var members: [String: GalleryNode] { if case .object(let members) = kind { members } else { [:] } }

    var list: [GalleryNode] { if case .list(let list) = kind { list } else { [] } }

    var isNull: Bool { if case .null = kind { true } else { false } }

    /// What a column of texts or numbers holds of it.
    var text: String? {
        switch kind {
        case .flag(let flag): "\(flag)"
        case .number(let number): "\(number)"
        case .text(let text): text
        default: nil
        }
    }

    /// What a column of booleans holds of it.
    var flag: String? { text.map { ["true", "1"].contains($0) ? "1" : "0" } }

    /// What a column of reals holds of it.
    var real: String? { text.flatMap(Double.init).map { "\($0)" } }

    /// As JSON, with the keys in order.
    var json: String? {
        switch kind {
        case .null: nil
        case .text(let text): "\"\(text)\""
        case .list(let list): "[\(list.map { $0.json ?? "null" }.joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.json ?? "null")" }.joined(separator: ","))}"
        default: text
        }
    }
}

extension String {
    /// What the first group of a regular expression matches.
    func first(_ pattern: String) -> String? {
        guard let regex = try? Regex("(?:\(pattern))"), let match = firstMatch(of: regex) else { return nil }
        return match.output.count > 1 ? match.output[1].substring.map(String.init) : String(self[match.range])
    }

    /// Nil where it is one of those that mean nothing.
    func unless(_ nothing: String...) -> String? { nothing.contains(self) ? nil : self }

    /// Units of time since 1970 as a time in UTC.
    func sinceEpoch(digits: Int) -> String? {
        guard let number = Int(self) else { return nil }
        let scale = digits == 3 ? 1000 : 1
        let whole = Date(timeIntervalSince1970: Double(number / scale))
        let seconds = whole.ISO8601Format().dropLast()
        return seconds + (digits == 3 ? "." + String("00\(number % 1000)".suffix(3)) : "") + "Z"
    }

    /// A time with an offset as one in UTC.
    func utc(digits: Int = 0) -> String? {
        guard let match = firstMatch(of: /^(.{19})(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/),
            let date = try? Date(String(match.1 + match.3), strategy: .iso8601)
        else { return nil }
        let fraction = (match.2 ?? "") + "000000"
        return date.ISO8601Format().dropLast() + (digits > 0 ? "." + fraction.prefix(digits) : "") + "Z"
    }
}
