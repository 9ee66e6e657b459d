import SluiceExtract

extension MeasureWalker {
    /// What leads to the walker that the context is.
    static var events: FeedEvents {
        unsafe FeedEvents(
            null: { context in unsafe MeasureWalker.at(context).pointee.scalar() ? 1 : 0 },
            boolean: { context, _ in unsafe MeasureWalker.at(context).pointee.scalar() ? 1 : 0 },
            number: { context, text, length in
                let bytes = unsafe UnsafeRawPointer(text.unsafelyUnwrapped).assumingMemoryBound(to: UInt8.self)
                return unsafe MeasureWalker.at(context).pointee.number(bytes, length) ? 1 : 0
            },
            string: { context, text, length in
                unsafe MeasureWalker.at(context).pointee.string(text.unsafelyUnwrapped, length) ? 1 : 0
            },
            key: { context, text, length in
                unsafe MeasureWalker.at(context).pointee.key(text.unsafelyUnwrapped, length)
                return 1
            },
            beginObject: { context in
                unsafe MeasureWalker.at(context).pointee.begin(isArray: false)
                return 1
            },
            endObject: { context in unsafe MeasureWalker.at(context).pointee.end() ? 1 : 0 },
            beginArray: { context in
                unsafe MeasureWalker.at(context).pointee.begin(isArray: true)
                return 1
            },
            endArray: { context in unsafe MeasureWalker.at(context).pointee.end() ? 1 : 0 })
    }

    @inline(__always)
    private static func at(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<MeasureWalker> {
        unsafe context.unsafelyUnwrapped.assumingMemoryBound(to: MeasureWalker.self)
    }
}
