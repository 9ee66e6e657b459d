/// What is called for each token of a feed, as yajl does it: functions without a context of their own, which get the
/// pointer that the reader was given. What they return is whether to go on: 1, or 0.
///
/// The bytes of a text are its characters, with its escapes resolved; they are there for the call only.
@safe
package struct FeedEvents {
    package typealias Token = @convention(c) (UnsafeMutableRawPointer?) -> CInt
    package typealias Boolean = @convention(c) (UnsafeMutableRawPointer?, CInt) -> CInt
    package typealias Number = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int) -> CInt
    package typealias Row = @convention(c) (UnsafeMutableRawPointer?, UInt64) -> Void
    package typealias Text = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> CInt

    package var null: Token
    package var boolean: Boolean
    package var number: Number
    package var string: Text
    package var key: Text
    package var beginObject: Token
    package var endObject: Token
    package var beginArray: Token
    package var endArray: Token
    /// Of a table: is told where a row begins, before its object; nil: nobody asks.
    package var row: Row?

    package init(
        null: @escaping Token, boolean: @escaping Boolean, number: @escaping Number, string: @escaping Text,
        key: @escaping Text, beginObject: @escaping Token, endObject: @escaping Token, beginArray: @escaping Token,
        endArray: @escaping Token
    ) {
        unsafe self.null = null
        unsafe self.boolean = boolean
        unsafe self.number = number
        unsafe self.string = string
        unsafe self.key = key
        unsafe self.beginObject = beginObject
        unsafe self.endObject = endObject
        unsafe self.beginArray = beginArray
        unsafe self.endArray = endArray
    }
}
