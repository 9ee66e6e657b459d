/// What the answer of a web service says of itself.
struct ServiceGuess {
    /// How it says that it is one of several pages; nil: it does not.
    var pages: PageGuess?
    /// Why a file that was given seems to be one of several pages; nil: nothing says so.
    var pageInFile: String?
    /// How it says that nothing went wrong; nil: it does not.
    var fails: FailsGuess?
}
