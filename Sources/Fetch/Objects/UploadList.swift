/// An answer that lists uploads that have not been ended.
struct UploadList {
    let uploads: [(key: String, identifier: String)]

    /// Nil where the answer is no such list.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let list = XMLElements.elements("ListMultipartUploadsResult", of: text[...]).first else { return nil }
        uploads = XMLElements.elements("Upload", of: list).compactMap { element in
            guard let key = XMLElements.text("Key", of: element).flatMap(XMLElements.decoded),
                let identifier = XMLElements.text("UploadId", of: element)
            else { return nil }
            return (key, identifier)
        }
    }
}
