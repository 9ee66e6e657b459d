import Glibc
import SluiceExtract
import SluicePosix
import SluiceRecords
import Synchronization

/// Keys that sign requests to AWS, and to services that speak like it: of variables, of a profile, of the role that a
/// container or a machine has.
struct AWSKeys: Sendable {
    var id: String
    var secret: String
    /// What goes along with keys that are good for a while.
    var session: String?
    /// When they are to be replaced, as ``now`` counts.
    var end = Double.infinity

    /// The same for all who ask, as all of it is said outside.
    private static let known = Mutex<[[ExactText: String]: AWSKeys]>([:])
    /// Seconds before their end in which keys are not used any more.
    private static let margin = 300.0

    /// The keys; nil: there are none, and requests are not signed.
    static func current(_ settings: FetchSettings) throws(Failure) -> AWSKeys? {
        if let keys = known.withLock({ $0[settings.variables] }), now < keys.end { return keys }
        let keys = try find(settings)
        known.withLock { $0[settings.variables] = keys }
        return keys
    }

    private static func find(_ settings: FetchSettings) throws(Failure) -> AWSKeys? {
        if let keys = ofVariables(settings) { return keys }
        if let keys = try read(AWSProfile(settings), settings) { return keys }
        if let role = AWSRole(settings) { return try role.keys(settings) }
        if let keys = try ofContainer(settings) { return keys }
        return try ofMachine(settings)
    }

    static func ofVariables(_ settings: FetchSettings) -> AWSKeys? {
        guard let id = settings.variable("AWS_ACCESS_KEY_ID"),
            let secret = settings.variable("AWS_SECRET_ACCESS_KEY")
        else { return nil }
        return AWSKeys(id: id, secret: secret, session: settings.variable("AWS_SESSION_TOKEN"))
    }

    /// Notes when they end, in seconds since 1970; nil: never.
    mutating func end(at moment: Double?) {
        guard let moment else { return }
        end = now + max(moment - Double(time(nil)) - AWSKeys.margin, 60)
    }
}
