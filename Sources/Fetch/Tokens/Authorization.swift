import SluicePosix

/// A header that tells a service who asks.
struct Authorization {
    var name: String
    var prefix = ""
    var secret: String
    /// Where the secret comes from, if another may come from there later: a file, or a program.
    private(set) var origin: Secret?

    init(name: String, prefix: String = "", secret: String, origin: Secret? = nil) {
        (self.name, self.prefix, self.secret) = (name, prefix, secret)
        if case .text? = origin { return }
        self.origin = origin
    }
}
