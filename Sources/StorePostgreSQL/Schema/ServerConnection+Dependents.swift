import SluicePostgreSQL
import SluiceRecords

extension ServerConnection {
    /// Executes a statement that the server refuses where others have made something over the changed part, such as a
    /// view: then the failure says so.
    ///
    /// - Parameters:
    ///   - part: What is made anew, such as `the view Trip`.
    ///   - refusals: The SQLSTATEs of that refusal.
    func remake(_ part: String, refusals: [String], _ sql: String) throws(Failure) {
        do throws(Failure) {
            try execute(sql)
        } catch {
            guard refusals.contains(where: error.message.contains) else { throw error }
            throw Failure(
                .definition,
                "\(part) of the store \(name) must be made anew, and something is made over it: drop that first, and make"
                    + " it again after the run: \(error.message)")
        }
    }
}
