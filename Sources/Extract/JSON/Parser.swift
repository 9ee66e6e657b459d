import CSluiceYajl
import Glibc
import SluiceRecords

/// Makes yajl's parsers. yajl itself does not look whether it got the memory that it asked for.
enum Parser {
    static func make(
        _ callbacks: UnsafePointer<yajl_callbacks>, _ context: UnsafeMutableRawPointer
    ) -> yajl_handle? {
        var memory = unsafe yajl_alloc_funcs(
            malloc: { _, size in unsafe Parser.checked(malloc(size)) },
            realloc: { _, old, size in unsafe Parser.checked(realloc(old, size)) },
            free: { _, old in unsafe free(old) }, ctx: nil)
        return unsafe yajl_alloc(callbacks, &memory, context)
    }

    private static func checked(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let memory = unsafe memory else { OutOfMemory.end(for: "a text of JSON") }
        return unsafe memory
    }
}
