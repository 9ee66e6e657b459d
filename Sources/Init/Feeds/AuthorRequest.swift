import SluiceFetch

extension WebRequest {
    /// What an author asks a service for, who waits for the draft: an address that is wrong is soon told.
    init(ofAuthor address: String) {
        self.init(url: address)
        retries = 2
        credentialsHint = "--header \"Authorization: Bearer …\" sends them"
    }
}
