import CSluiceYajl
import SluiceRecords

/// yajl's way to the walker: functions that C can call, and whose context is the walker.
enum Callbacks {
    /// The table keeps its address, as yajl demands, for as long as the process lives.
    static let table: Address = {
        let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        unsafe table.initialize(
            to: yajl_callbacks(
                yajl_null: { context in unsafe Walker.literal(walker(context), .null) },
                yajl_boolean: { context, value in unsafe Walker.literal(walker(context), value != 0 ? .yes : .no) },
                // With `yajl_number`, yajl converts no number itself.
                yajl_integer: nil,
                yajl_double: nil,
                yajl_number: { context, text, length in
                    let bytes = unsafe UnsafeRawPointer(text.unsafelyUnwrapped).assumingMemoryBound(to: UInt8.self)
                    return unsafe Walker.number(walker(context), bytes, length)
                },
                yajl_string: { context, text, length in
                    unsafe Walker.string(walker(context), text.unsafelyUnwrapped, length)
                },
                yajl_start_map: { context in unsafe Walker.begin(walker(context), isArray: false) },
                yajl_map_key: { context, text, length in
                    unsafe Walker.key(walker(context), text.unsafelyUnwrapped, length)
                },
                yajl_end_map: { context in unsafe Walker.end(walker(context)) },
                yajl_start_array: { context in unsafe Walker.begin(walker(context), isArray: true) },
                yajl_end_array: { context in unsafe Walker.end(walker(context)) }))
        return unsafe Address(pointer: table)
    }()

    /// A pointer to what never changes.
    @safe
    struct Address: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<yajl_callbacks>
    }

    @inline(__always)
    private static func walker(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Walker> {
        // yajl returns what it was given, and no text is null; a check here would cost in each of hundreds of millions
        // of calls.
        unsafe context.unsafelyUnwrapped.assumingMemoryBound(to: Walker.self)
    }
}

// What yajl has met. In a subtree that no path enters, which may be all of a feed, this is all that is done; it needs
// no stack, because what else there is to do is in functions of their own.
extension Walker {
    @inline(__always)
    fileprivate static func string(
        _ walker: UnsafeMutablePointer<Walker>, _ text: UnsafePointer<UInt8>, _ length: Int
    ) -> CInt {
        unsafe walker.pointee.ends.text = text + (length &+ 1)
        if unsafe length <= walker.pointee.shortText && walker.pointee.skip > 0 { return 1 }
        return unsafe followString(walker, text, length)
    }

    @inline(__always)
    fileprivate static func number(
        _ walker: UnsafeMutablePointer<Walker>, _ text: UnsafePointer<UInt8>, _ length: Int
    ) -> CInt {
        unsafe walker.pointee.ends.text = text + length
        if unsafe length <= walker.pointee.shortText && walker.pointee.skip > 0 { return 1 }
        return unsafe followNumber(walker, text, length)
    }

    @inline(__always)
    fileprivate static func key(
        _ walker: UnsafeMutablePointer<Walker>, _ text: UnsafePointer<UInt8>, _ length: Int
    ) -> CInt {
        unsafe walker.pointee.ends.key = text + (length &+ 1)
        if unsafe length <= walker.pointee.shortText && walker.pointee.skip > 0 { return 1 }
        return unsafe followKey(walker, text, length)
    }

    @inline(__always)
    fileprivate static func literal(_ walker: UnsafeMutablePointer<Walker>, _ kind: CellKind) -> CInt {
        if unsafe walker.pointee.skip > 0 { return 1 }
        return unsafe followLiteral(walker, kind)
    }

    @inline(__always)
    fileprivate static func begin(_ walker: UnsafeMutablePointer<Walker>, isArray: Bool) -> CInt {
        let skip = unsafe walker.pointee.skip
        if unsafe skip > 0 && skip < walker.pointee.skipLimit {
            unsafe walker.pointee.skip = skip &+ 1
            return 1
        }
        return unsafe followBegin(walker, isArray)
    }

    @inline(__always)
    fileprivate static func end(_ walker: UnsafeMutablePointer<Walker>) -> CInt {
        let skip = unsafe walker.pointee.skip
        if skip > 1 {
            unsafe walker.pointee.skip = skip &- 1
            return 1
        }
        return unsafe followEnd(walker)
    }

    @inline(never)
    private static func followString(
        _ walker: UnsafeMutablePointer<Walker>, _ text: UnsafePointer<UInt8>, _ length: Int
    ) -> CInt { unsafe walker.pointee.string(text, length) }

    @inline(never)
    private static func followNumber(
        _ walker: UnsafeMutablePointer<Walker>, _ text: UnsafePointer<UInt8>, _ length: Int
    ) -> CInt { unsafe walker.pointee.number(text, length) }

    @inline(never)
    private static func followKey(
        _ walker: UnsafeMutablePointer<Walker>, _ text: UnsafePointer<UInt8>, _ length: Int
    ) -> CInt { unsafe walker.pointee.key(text, length) }

    @inline(never)
    private static func followLiteral(_ walker: UnsafeMutablePointer<Walker>, _ kind: CellKind) -> CInt {
        unsafe walker.pointee.literal(kind)
    }

    @inline(never)
    private static func followBegin(_ walker: UnsafeMutablePointer<Walker>, _ isArray: Bool) -> CInt {
        unsafe walker.pointee.begin(isArray: isArray)
    }

    @inline(never)
    private static func followEnd(_ walker: UnsafeMutablePointer<Walker>) -> CInt {
        unsafe walker.pointee.end()
    }
}
