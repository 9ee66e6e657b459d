import CSluicePostgreSQL
import Glibc
import SluicePosix
import SluiceRecords

/// Where a database is, and how it is reached.
package struct ServerAddress: Sendable, Hashable {
    /// How much of TLS is asked for.
    package enum TLS: String, Sendable, CaseIterable {
        /// Encrypted, by a certificate that someone vouches for, with the name of the host.
        case verifyFull = "verify-full"
        /// Whatever the name in the certificate is.
        case verifyCA = "verify-ca"
        /// Encrypted, whatever the certificate is.
        case require
        case prefer, allow, disable
    }

    /// libpq's keywords, without passwords.
    private var keywords: [Keyword] = []
    package var password: Secret?
    /// The path of the certificates of those who vouch for the server's.
    package var certificates: String?
    package var tls: TLS?

    private struct Keyword: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// What is wrong with a text that is to say where a database is.
    package struct Mistake: Error {
        package var message: String
    }

    /// Reads a URI or a list of keywords, as libpq knows them.
    package init(_ text: String) throws(Mistake) {
        if text.utf8.contains(0) { throw Mistake(message: "cannot hold a NUL, as no address can") }
        var error: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &error) else {
            // What it says may repeat what the text holds, a password among it.
            if let error = unsafe error { unsafe PQfreemem(error) }
            throw Mistake(
                message: "is neither a URI such as postgresql://user@host/database nor a list of keywords such as"
                    + " host=db.example.org dbname=transit user=importer")
        }
        defer { unsafe PQconninfoFree(options) }
        var option = unsafe options
        while let name = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe keywords.append(Keyword(name: String(cString: name), value: String(cString: value)))
            }
            unsafe option += 1
        }
        if self["password"] != nil || self["sslpassword"] != nil {
            throw Mistake(message: "cannot hold a password: say \"password\": { \"file\": path } or ${NAME} beside it")
        }
        for name in ["client_encoding", "options", "replication"] where self[name] != nil {
            throw Mistake(message: "cannot say \(name): sluice sets it itself")
        }
        if let mode = self["sslmode"] {
            guard let tls = TLS(rawValue: mode) else {
                throw Mistake(message: "knows no sslmode \(mode)")
            }
            self.tls = tls
        }
    }

    private subscript(name: String) -> String? { keywords.first { $0.name.isIdentical(to: name) }?.value }

    private func value(_ name: String, _ variable: String) -> String? { self[name] ?? environmentVariable(variable) }

    private var service: String? { value("service", "PGSERVICE") }

    /// The host, or several, as messages name it; nil: a socket of this machine.
    package var host: String? {
        let named = [value("host", "PGHOST"), value("hostaddr", "PGHOSTADDR")].compactMap { $0 }
        return named.first { !ServerAddress.isOfSockets($0) } ?? service.map { "(service \($0))" }
    }

    /// Whether a list of hosts holds nothing but sockets of this machine.
    private static func isOfSockets(_ hosts: String) -> Bool {
        hosts.split(separator: ",").allSatisfy { $0.hasPrefix("/") || $0.hasPrefix("@") }
    }

    package var database: String {
        if let name = value("dbname", "PGDATABASE") { return name }
        return service != nil ? "the service's own" : value("user", "PGUSER") ?? "the user's own"
    }

    private var port: String? { value("port", "PGPORT").flatMap { $0 == "5432" ? nil : $0 } }

    /// As messages name it: neither who connects nor how.
    package var description: String {
        "postgresql://" + (host ?? "") + (port.map { ":" + $0 } ?? "") + "/" + database
    }

    /// What is asked for: where nothing is said, all of it. Where the way leads is libpq's to find out, from a service
    /// for instance; of a socket, it asks for none.
    package var effectiveTLS: TLS { tls ?? .verifyFull }

    /// What a weaker way gives up; nil: nothing.
    package var weakness: String? {
        if host == nil { return nil }
        return switch effectiveTLS {
        case .verifyFull: nil
        case .verifyCA: "the name of the host is not compared with that of its certificate"
        case .require: "it is not known whose certificate it is: whoever stands between can read and change all"
        case .prefer, .allow: "whoever stands between can turn encryption off"
        case .disable: "nothing is encrypted"
        }
    }

    /// What libpq gets.
    func parameters(application: String) throws(Failure) -> [(String, String)] {
        var parameters = keywords.filter { $0.name != "sslmode" }.map { ($0.name, $0.value) }
        parameters.append(("sslmode", effectiveTLS.rawValue))
        if let certificates {
            guard unsafe access(certificates, R_OK) == 0 else {
                throw Failure(.definition, "the certificates \(certificates) cannot be read", errno: errno)
            }
            parameters.append(("sslrootcert", certificates))
        } else if self["sslrootcert"] == nil, [.verifyFull, .verifyCA].contains(effectiveTLS),
            // Where nobody has to vouch for a certificate, libpq would ask for it all the same.
            let bundle = ServerAddress.bundle
        {
            parameters.append(("sslrootcert", bundle))
        }
        if let password { parameters.append(("password", try password.value())) }
        parameters.append(("client_encoding", "UTF8"))
        parameters.append(("fallback_application_name", application))
        for (name, value) in ServerAddress.patience where self[name] == nil { parameters.append((name, value)) }
        return parameters
    }

    /// A server that is gone is noticed after two minutes, also while nothing is sent.
    private static let patience = [
        ("keepalives_idle", "60"), ("keepalives_interval", "10"), ("keepalives_count", "6"),
        ("tcp_user_timeout", "120000"),
    ]

    /// The certificates that the system trusts, unless the user has some of their own, which libpq finds.
    private static var bundle: String? {
        let own = (environmentVariable("HOME") ?? "") + "/.postgresql/root.crt"
        if environmentVariable("PGSSLROOTCERT") != nil || (unsafe access(own, F_OK)) == 0 { return nil }
        let system = "/etc/ssl/certs/ca-certificates.crt"
        return unsafe access(system, R_OK) == 0 ? system : nil
    }
}
