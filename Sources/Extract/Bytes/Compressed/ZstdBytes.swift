import CSluiceZstd

/// Bytes in memory, compressed with zstd as a whole.
package enum ZstdBytes {
    /// Nil: there is no memory for it.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        unsafe [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, count in
            let size = unsafe ZSTD_compress(buffer.baseAddress, buffer.count, bytes, bytes.count, 1)
            count = ZSTD_isError(size) == 0 ? size : 0
        }.nonEmpty
    }

    /// Nil: they are not what was compressed to so many bytes.
    ///
    /// - Parameter size: the bytes before they were compressed.
    package static func decompress(_ bytes: [UInt8], size: Int) -> [UInt8]? {
        if size == 0 { return [] }
        let result = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let written = unsafe ZSTD_decompress(buffer.baseAddress, buffer.count, bytes, bytes.count)
            count = ZSTD_isError(written) == 0 ? written : 0
        }
        return result.count == size ? result : nil
    }
}

extension [UInt8] {
    fileprivate var nonEmpty: [UInt8]? { isEmpty ? nil : self }
}
