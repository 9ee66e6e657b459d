/// What a page of a feed is called in messages: its number goes along, since pages often have one address but for what
/// may be secret, or was posted.
struct PageName: Sendable, Hashable, CustomStringConvertible {
    /// The feed, or the address that was asked, without what may be secret.
    var address: String
    /// Its number, from 1; nil: the first, or the feed comes without pages.
    var number: Int?

    init(_ address: String, _ number: Int? = nil) {
        self.address = address
        self.number = number
    }

    var description: String { number.map { "\(address) (page \($0))" } ?? address }
}
