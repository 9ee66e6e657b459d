import CSluiceYajl

extension TreeReader {
    /// What yajl calls: each hands one token to the reader, and returns 0 to end the parse.
    static var callbacks: yajl_callbacks {
        var callbacks = yajl_callbacks()
        unsafe callbacks.yajl_null = { context in
            unsafe TreeReader.from(context)?.add(.null) ?? 0
        }
        unsafe callbacks.yajl_boolean = { context, value in
            unsafe TreeReader.from(context)?.add(.boolean(value != 0)) ?? 0
        }
        unsafe callbacks.yajl_number = { context, start, length in
            let text = unsafe UnsafeRawBufferPointer(start: start, count: length)
            return unsafe TreeReader.from(context)?.add(.number(String(decoding: text, as: UTF8.self))) ?? 0
        }
        unsafe callbacks.yajl_string = { context, start, length in
            let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
            guard let reader = unsafe TreeReader.from(context) else { return 0 }
            return reader.takeString { reader.builder.add(.string(text), at: $0) }
        }
        unsafe callbacks.yajl_map_key = { context, start, length in
            let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
            guard let reader = unsafe TreeReader.from(context) else { return 0 }
            return reader.takeString { reader.builder.key(text, at: $0) }
        }
        unsafe callbacks.yajl_start_map = { context in unsafe TreeReader.from(context)?.begin(isObject: true) ?? 0 }
        unsafe callbacks.yajl_start_array = { context in unsafe TreeReader.from(context)?.begin(isObject: false) ?? 0 }
        unsafe callbacks.yajl_end_map = { context in unsafe TreeReader.from(context)?.end() ?? 0 }
        unsafe callbacks.yajl_end_array = { context in unsafe TreeReader.from(context)?.end() ?? 0 }
        return callbacks
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> TreeReader? {
        unsafe context.map { unsafe Unmanaged<TreeReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func add(_ kind: JSONNode.Kind) -> Int32 {
        take { builder.add(kind, at: $0) }
    }

    private func begin(isObject: Bool) -> Int32 {
        take { position in
            guard builder.begin(isObject: isObject, at: position) else {
                return refuse("this is nested deeper than \(TreeBuilder.maxDepth) levels")
            }
        }
    }

    private func end() -> Int32 {
        take { _ in builder.end() }
    }
}
