/// What a page of a feed is called: pages often have one address but for what may be secret, or was posted.
///
/// - Parameters:
///   - name: the feed, or the address that was asked.
///   - page: its number, from 1; nil: the feed comes without pages.
func pageName(_ name: String, _ page: Int?) -> String { page.map { "\(name) (page \($0))" } ?? name }
