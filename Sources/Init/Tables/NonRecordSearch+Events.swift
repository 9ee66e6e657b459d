import SluiceExtract

extension NonRecordSearch {
    /// What leads to the search that the context is. Of a table, all that is not null is a text.
    static var events: FeedEvents {
        var events = unsafe FeedEvents(
            null: { context in
                unsafe NonRecordSearch.at(context)._withUnsafeGuaranteedRef { $0.null() }
                return 1
            },
            boolean: { _, _ in 1 }, number: { _, _, _ in 1 },
            string: { context, text, length in
                unsafe NonRecordSearch.at(context)._withUnsafeGuaranteedRef {
                    unsafe $0.string(text.unsafelyUnwrapped, length)
                }
                return 1
            },
            key: { context, text, length in
                unsafe NonRecordSearch.at(context)._withUnsafeGuaranteedRef {
                    unsafe $0.key(text.unsafelyUnwrapped, length)
                }
                return 1
            },
            beginObject: { _ in 1 },
            endObject: { context in
                unsafe NonRecordSearch.at(context)._withUnsafeGuaranteedRef { $0.endRow() }
                return 1
            },
            beginArray: { _ in 1 }, endArray: { _ in 1 })
        unsafe events.row = { context, offset in
            unsafe NonRecordSearch.at(context)._withUnsafeGuaranteedRef { $0.beginRow(at: offset) }
        }
        return events
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Unmanaged<NonRecordSearch> {
        unsafe Unmanaged.fromOpaque(context.unsafelyUnwrapped)
    }
}
