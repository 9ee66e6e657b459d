import CYajl
import Records

/// yajl's way to the walker: functions that C can call, and whose context is the walker.
enum Callbacks {
    /// The table keeps its address, as yajl demands, for as long as the process lives.
    static let table: Address = {
        let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        unsafe table.initialize(
            to: yajl_callbacks(
                yajl_null: { context in unsafe walker(context).pointee.literal(.null) },
                yajl_boolean: { context, value in unsafe walker(context).pointee.literal(value != 0 ? .yes : .no) },
                // With `yajl_number`, yajl converts no number itself.
                yajl_integer: nil,
                yajl_double: nil,
                yajl_number: { context, text, length in
                    guard let text = unsafe text else { return 0 }
                    return unsafe text.withMemoryRebound(to: UInt8.self, capacity: length) { text in
                        unsafe walker(context).pointee.number(text, length)
                    }
                },
                yajl_string: { context, text, length in
                    guard let text = unsafe text else { return 0 }
                    return unsafe walker(context).pointee.string(text, length)
                },
                yajl_start_map: { context in unsafe walker(context).pointee.begin(isArray: false) },
                yajl_map_key: { context, text, length in
                    guard let text = unsafe text else { return 0 }
                    return unsafe walker(context).pointee.key(text, length)
                },
                yajl_end_map: { context in unsafe walker(context).pointee.end() },
                yajl_start_array: { context in unsafe walker(context).pointee.begin(isArray: true) },
                yajl_end_array: { context in unsafe walker(context).pointee.end() }))
        return unsafe Address(pointer: table)
    }()

    /// A pointer to what never changes.
    @safe
    struct Address: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<yajl_callbacks>
    }

    @inline(__always)
    private static func walker(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Walker> {
        // yajl returns what it was given; a check here would cost in each of hundreds of millions of calls.
        unsafe context.unsafelyUnwrapped.assumingMemoryBound(to: Walker.self)
    }
}
