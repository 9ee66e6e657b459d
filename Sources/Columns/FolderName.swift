import SluiceRecords

/// Names as the names of folders.
package enum FolderName {
    /// A name that is one folder, and not hidden: in an entity's name a slash may stand, or a point in front.
    package static func of(_ name: String) -> String {
        let escaped = name.replacingExactly("%", with: "%25").replacingExactly("/", with: "%2F")
        return escaped.utf8.first == UInt8(ascii: ".") ? "%2E" + escaped.dropFirst() : escaped
    }
}
