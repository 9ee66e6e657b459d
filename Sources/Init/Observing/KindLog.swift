/// Which kind each object of a list says that it is (`"type": "route"`), in the order of the feed.
final class KindLog {
    /// The members that commonly tell.
    static let names: Set<String> = [
        "type", "kind", "_type", "@type", "__typename", "object", "objectType", "object_type", "record_type",
        "recordType", "resource_type", "resourceType", "entity", "entity_type", "class",
    ]
    /// Likewise of what Django exports: `"model": "shop.order"`. Elsewhere it is that of a car.
    static let model = "model"

    /// Whether a member may tell the kind of an object, as far as its name says.
    static func mayTell(_ member: String) -> Bool { names.contains(member) || member == model }

    static let mostKinds = 40
    private static let mostObjects = 1 << 24

    /// 0: none; else the index of a kind, and one more.
    private(set) var entries: [UInt8] = []
    private(set) var kinds: [String] = []
    private var indices: [[UInt8]: UInt8] = [:]
    /// There are too many kinds, or too many objects.
    private(set) var isFull = false

    /// Notes an object of which nothing is known yet, and returns its number.
    func begin() -> Int32 {
        guard !isFull, entries.count < KindLog.mostObjects else {
            isFull = true
            return -1
        }
        entries.append(0)
        return Int32(entries.count - 1)
    }

    /// Whether the member is one that tells the kind only where it says of what that is a part.
    private let isModel: Bool

    init(member: String) { isModel = member == KindLog.model }

    /// Whether the first object shows that it is another member that tells the kind, if any does.
    var isRefuted: Bool { isModel && kinds.isEmpty }

    func note(_ text: UnsafePointer<UInt8>, _ length: Int, of object: Int32) {
        guard !isFull, object >= 0, length > 0, length <= 64,
            unsafe !isModel || isOfApplication(UnsafeBufferPointer(start: text, count: length))
        else {
            isFull = true
            return
        }
        let bytes = unsafe Array(UnsafeBufferPointer(start: text, count: length))
        if let index = indices[bytes] {
            entries[Int(object)] = index
            return
        }
        guard kinds.count < KindLog.mostKinds else {
            isFull = true
            return
        }
        kinds.append(String(decoding: bytes, as: UTF8.self))
        indices[bytes] = UInt8(kinds.count)
        entries[Int(object)] = UInt8(kinds.count)
    }

    /// Whether a kind is that of an application: `shop.order`.
    private func isOfApplication(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let dot = unsafe text.firstIndex(of: UInt8(ascii: ".")), dot > 0, dot + 1 < text.count else {
            return false
        }
        return unsafe text.allSatisfy { $0 | 0x20 &- UInt8(ascii: "a") < 26 || $0.isDigit || $0 == 0x2E || $0 == 0x5F }
    }
}
