import Glibc
import SluiceExtract
import SluiceRecords

/// What a service has answered, but for the content.
struct KeptAnswer: Sendable {
    /// Which request it answers.
    var key: String
    /// When it came, or was last said to be the same, in seconds since 1970.
    var time: Int
    var status: Int
    /// Where it came from, at the end of redirects.
    var address: String
    /// Those headers that matter later on.
    var fields: [(name: String, value: String)]
    /// Bytes of the content.
    var size: Int
    /// Whether the run that left it had not asked for it, but had it from the cache.
    var isOfCache = false

    private static let kept: Set<String> = [
        "age", "cache-control", "content-type", "etag", "last-modified", "link",
    ]

    init(key: String, head: ResponseHead, address: WebAddress, size: Int) {
        self.key = key
        time = Glibc.time(nil)
        status = head.status
        self.address = address.text
        fields = head.fields.filter { KeptAnswer.kept.contains($0.name) }
        self.size = size
    }

    /// The head as if it came now.
    var head: ResponseHead {
        var head = ResponseHead()
        head.add(line: "HTTP/1.1 \(status) Kept")
        for field in fields { head.add(line: "\(field.name): \(field.value)") }
        return head
    }

    /// The same, once the service has said that it still holds (RFC 9111, section 4.3.4).
    func renewed(_ head: ResponseHead) -> KeptAnswer {
        var renewed = self
        renewed.time = Glibc.time(nil)
        renewed.isOfCache = false
        for field in head.fields where KeptAnswer.kept.contains(field.name) {
            renewed.fields.removeAll { $0.name.isIdentical(to: field.name) }
        }
        renewed.fields += head.fields.filter { KeptAnswer.kept.contains($0.name) }
        return renewed
    }

    // MARK: What the service says of keeping it

    /// The words of `Cache-Control`, in lower case.
    private var control: [String] {
        fields.filter { $0.name == "cache-control" }.flatMap { $0.value.split(separator: ",") }
            .map { String($0).trimmed.lowercased() }
    }

    /// Whether it may be kept for later runs.
    var mayBeCached: Bool {
        [200, 204].contains(status) && !control.contains("no-store") && (!head.validators.isEmpty || maxAge > 0)
    }

    /// Whether it need not be asked for again.
    func isFresh(at moment: Int) -> Bool {
        let age = moment - time
        return age >= 0 && !control.contains("no-cache") && age + (head["age"].flatMap { Int($0) } ?? 0) < maxAge
    }

    private var maxAge: Int {
        control.compactMap { word in
            word.hasPrefix("max-age=") ? Int(word.dropFirst("max-age=".count).filter { $0 != "\"" }) : nil
        }.min() ?? 0
    }

    // MARK: As bytes

    var json: String {
        JSONText.object(
            [
                ("key", JSONText.quoted(key)), ("time", "\(time)"), ("status", "\(status)"), ("size", "\(size)"),
                ("address", JSONText.quoted(address)),
                ("fields", JSONText.object(fields.map { ($0.name, JSONText.quoted($0.value)) })),
            ] + (isOfCache ? [("cache", "true")] : []))
    }

    /// Nil where the bytes are not what `json` gives.
    init?(json: [UInt8]) {
        guard let root = try? JSONTree.read(json, file: "answers").root, let key = root["key"]?.text,
            let address = root["address"]?.text, case .object(let fields)? = root["fields"]?.kind
        else { return nil }
        func number(_ name: String) -> Int? {
            guard case .number(let text)? = root[name]?.kind else { return nil }
            return Int(text)
        }
        guard let time = number("time"), let status = number("status"), let size = number("size"), size >= 0 else {
            return nil
        }
        (self.key, self.time, self.status, self.address, self.size) = (key, time, status, address, size)
        self.fields = fields.compactMap { field in field.value.text.map { (field.key, $0) } }
        if case .boolean(true)? = root["cache"]?.kind { isOfCache = true }
    }
}
