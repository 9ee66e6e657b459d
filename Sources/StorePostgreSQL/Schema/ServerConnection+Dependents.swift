import SluicePostgreSQL
import SluiceRecords

extension ServerConnection {
    /// Executes what the server refuses where views of others are made over what it changes: the failure says so then.
    ///
    /// - Parameters:
    ///   - refusal: The SQLSTATE of that.
    ///   - part: What is made anew, such as `the view Trip`.
    func remake(_ part: String, refusal: String, _ sql: String) throws(Failure) {
        do throws(Failure) {
            try execute(sql)
        } catch {
            guard error.message.contains(refusal) else { throw error }
            throw Failure(
                .definition,
                "\(part) of the store \(name) must be made anew, and something is made over it: drop that first, and make"
                    + " it again after the run: \(error.message)")
        }
    }
}
