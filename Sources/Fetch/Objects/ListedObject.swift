/// An object as it was when the bucket was listed.
package struct ListedObject: Sendable, Hashable {
    /// `s3://bucket/key`
    package var name: String
    /// Its address at the service.
    package var address: String
    package var etag: String
    package var size: UInt64
}
