import Foundation
import TestSupport

/// The naive reading of a feed.
enum Feed {
    static func read(_ path: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)), options: .fragmentsAllowed)
    }

    static func records(_ path: String, _ key: String) throws -> [[String: Any]] {
        (try read(path) as? [String: Any])?[key] as? [[String: Any]] ?? []
    }

    /// A document with the records of each of its arrays in another order, and its members too.
    static func shuffled(_ path: String, seed: Int) throws -> Data {
        var random = SeededRandom(seed)
        let document = try read(path) as? [String: Any] ?? [:]
        let members = try document.keys.sorted().shuffled(using: &random).map { key in
            let records = (document[key] as? [Any] ?? []).shuffled(using: &random)
            let texts = try records.map { record in
                String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self)
            }
            return "\"\(key)\":[\(texts.joined(separator: ",\n"))]"
        }
        return Data("{\(members.joined(separator: ","))}".utf8)
    }

    /// A document with the elements of its arrays and the members of its objects in another order, at every depth.
    static func shuffledDeeply(_ path: String, seed: Int) throws -> Data {
        var random = SeededRandom(seed)
        return Data(try shuffled(read(path), &random).utf8)
    }

    private static func shuffled(_ value: Any, _ random: inout SeededRandom) throws -> String {
        if let elements = value as? [Any] {
            let texts = try elements.shuffled(using: &random).map { try shuffled($0, &random) }
            return "[\(texts.joined(separator: ",\n"))]"
        }
        if let members = value as? [String: Any] {
            let texts = try members.keys.sorted().shuffled(using: &random).map { key in
                try shuffled(key, &random) + ":" + shuffled(members[key] ?? NSNull(), &random)
            }
            return "{\(texts.joined(separator: ","))}"
        }
        let data = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
        return String(decoding: data, as: UTF8.self)
    }

    static func text(_ value: Any?) -> String {
        switch value {
        case nil, is NSNull: "∅"
        case let text as String: text
        case let number as NSNumber: "\(number)"
        default: "?"
        }
    }
}
