import SluiceExtract

extension ShapeObserver {
    /// What leads to the observer that the context is.
    static var events: FeedEvents {
        unsafe FeedEvents(
            null: { context in
                unsafe ShapeObserver.at(context).pointee.null()
                return 1
            },
            boolean: { context, _ in
                unsafe ShapeObserver.at(context).pointee.boolean()
                return 1
            },
            number: { context, text, length in
                let bytes = unsafe UnsafeRawPointer(text.unsafelyUnwrapped).assumingMemoryBound(to: UInt8.self)
                unsafe ShapeObserver.at(context).pointee.number(bytes, length)
                return 1
            },
            string: { context, text, length in
                unsafe ShapeObserver.at(context).pointee.string(text.unsafelyUnwrapped, length)
                return 1
            },
            key: { context, text, length in
                unsafe ShapeObserver.at(context).pointee.key(text.unsafelyUnwrapped, length)
                return 1
            },
            beginObject: { context in unsafe ShapeObserver.at(context).pointee.begin(isArray: false) ? 1 : 0 },
            endObject: { context in
                unsafe ShapeObserver.at(context).pointee.end()
                return 1
            },
            beginArray: { context in unsafe ShapeObserver.at(context).pointee.begin(isArray: true) ? 1 : 0 },
            endArray: { context in
                unsafe ShapeObserver.at(context).pointee.end()
                return 1
            })
    }

    @inline(__always)
    private static func at(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ShapeObserver> {
        unsafe context.unsafelyUnwrapped.assumingMemoryBound(to: ShapeObserver.self)
    }
}
