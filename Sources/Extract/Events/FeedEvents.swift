/// What is called for each token of a feed, as yajl does it: functions without a context of their own, which get the
/// pointer that the reader was given. What they return is whether to go on: 1, or 0.
///
/// The bytes of a text are its characters, with its escapes resolved; they are there for the call only.
@safe
public struct FeedEvents {
    public typealias Token = @convention(c) (UnsafeMutableRawPointer?) -> CInt
    public typealias Boolean = @convention(c) (UnsafeMutableRawPointer?, CInt) -> CInt
    public typealias Number = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int) -> CInt
    public typealias Text = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> CInt

    public var null: Token
    public var boolean: Boolean
    public var number: Number
    public var string: Text
    public var key: Text
    public var beginObject: Token
    public var endObject: Token
    public var beginArray: Token
    public var endArray: Token

    public init(
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
