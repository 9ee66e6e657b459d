import SluiceRecords

/// An answer that lists objects: a page of the keys of a bucket (ListObjectsV2), with keys that are percent-encoded.
struct ObjectList {
    struct Object {
        var key: String
        var etag: String
        var size: UInt64
    }

    var objects: [Object] = []
    /// What leads to the next page.
    var next: String?

    /// Nil where the answer is no such list.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let list = XMLElements.elements("ListBucketResult", of: text[...]).first else { return nil }
        for element in XMLElements.elements("Contents", of: list) {
            guard let key = XMLElements.text("Key", of: element).flatMap(XMLElements.decoded),
                let size = XMLElements.text("Size", of: element).flatMap({ UInt64($0) })
            else { return nil }
            objects.append(Object(key: key, etag: XMLElements.text("ETag", of: element) ?? "", size: size))
        }
        if XMLElements.text("IsTruncated", of: list) == "true" {
            guard let token = XMLElements.text("NextContinuationToken", of: list) else { return nil }
            next = token
        }
    }
}
