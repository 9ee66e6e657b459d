/// What a page is asked for with.
struct PageRequest: Sendable {
    var address: WebAddress
    /// What is posted; nil: nothing is.
    var body: RequestBody?
    /// The number of the page, from 2; nil: the first, or the feed comes without pages.
    var number: Int?

    var isFirst: Bool { number == nil }
    var name: PageName { PageName(address.shown, number) }
}
