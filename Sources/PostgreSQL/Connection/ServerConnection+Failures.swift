import CSluicePostgreSQL
import SluiceRecords

/// An error that a server tells.
package struct ServerComplaint {
    /// Five letters and digits.
    package let code: String
    package let message: String
    /// Behind a semicolon; empty: there is none.
    package let hint: String
    /// Where in the statement, in characters from 0; nil: nowhere.
    package let place: Int?
}

extension ServerConnection {
    /// What an error that the server tells means to the user.
    ///
    /// - Parameter sql: the statement. Its values are none of its text.
    func failure(_ result: OpaquePointer, _ sql: String) -> Failure {
        let code = unsafe field(result, sluice_pg_sqlstate)
        guard let code, code.utf8.count == 5 else { return lostConnection() }
        let message = unsafe field(result, sluice_pg_message) ?? "no reason given"
        // Of a row that a constraint refuses, the server shows all values: reports are no place for them.
        let showsRow = ["23502", "23514"].contains(code)
        let detail = showsRow ? "" : unsafe field(result, sluice_pg_detail).map { " (\($0))" } ?? ""
        let hint = unsafe field(result, sluice_pg_hint).map { "; \($0)" } ?? ""
        let table = unsafe field(result, sluice_pg_table)
        let position = unsafe field(result, sluice_pg_position).flatMap(Int.init)
        let complaint = ServerComplaint(
            code: code, message: message + detail, hint: hint, place: position.map { $0 - 1 })
        if let failure = explanation?(complaint) { return failure }
        let origin = " (PostgreSQL error \(code) in: \(shown(sql)))"
        switch code {
        case "57014":
            if isEnding { return ServerConnection.ended }
            return Failure(.io, "the store \(name) ended a statement: \(message)\(origin)")
        case "42501": return Failure(.refused, "the store \(name): \(message)\(missingRight(message, sql))")
        case "55P03", "40001", "40P01":
            return Failure(.busy, "the store \(name) is locked by another program: \(message); try again later")
        case "53100", "58030": return Failure(.io, "the store \(name) cannot grow: \(message)\(hint)")
        case "53300": return Failure(.busy, "the store \(name) has no connection left: \(message); try again later")
        case "25006": return Failure(.uncreatable, "the store \(name) cannot be written to: \(message)")
        case "23505" where unsafe !isStrangersKey(result):
            let place = table.map { "its table \($0)" } ?? "a table"
            return Failure(
                .io,
                "another program has written to the store \(name) meanwhile: \(place) has the same key already\(detail)"
            )
        case "42P07", "42710":
            return Failure(.definition, "the store \(name) has something else of that name: \(message)")
        case "3D000", "3F000": return Failure(.definition, "the store \(name): \(message)")
        case "54000", "54001", "54011":
            return Failure(.definition, "the store \(name) takes no more: \(message)\(origin)")
        case "0A000", "42830", "428C9", "55000":
            return Failure(.definition, "the store \(name) does not take what a run does: \(message)\(hint)\(origin)")
        case "42P01":
            return Failure(
                .io, "something of the store \(name) that was there has gone, or has another name: \(message)\(origin)")
        case "23503": return unsafe foreignKeyFailure(result, message + detail)
        default: break
        }
        switch code.prefix(2) {
        case "08", "57": return Failure(.unavailable, "the connection to the store \(name) was lost: \(message)")
        case "22": return Failure(.data, "the store \(name) refuses a value: \(message)\(origin)")
        case "28": return Failure(.refused, "the store \(name) refuses the connection: \(message)")
        case "23", "P0", "44":
            return Failure(
                .definition,
                "a trigger or a constraint of the store \(name) refuses what is written: \(message)\(detail)\(origin)")
        case "53", "58", "XX": return Failure(.io, "the store \(name) cannot be read or written: \(message)\(origin)")
        default: return Failure(.defect, "PostgreSQL refused a statement on \(name): \(message)\(detail)\(origin)")
        }
    }

    private func isStrangersKey(_ result: OpaquePointer) -> Bool {
        unsafe field(result, sluice_pg_constraint).map { strangersKeys.contains(ExactText($0)) } ?? false
    }

    /// A foreign key keeps something from going, or from coming.
    private func foreignKeyFailure(_ result: OpaquePointer, _ reason: String) -> Failure {
        let table = [unsafe field(result, sluice_pg_schema), unsafe field(result, sluice_pg_table)].compactMap { $0 }
        let key = unsafe field(result, sluice_pg_constraint) ?? "?"
        return foreignKeyFailure(key, of: table.joined(separator: "."), reason)
    }

    /// - Parameters:
    ///   - key: the name of the foreign key.
    ///   - table: the table that refers, with its schema.
    package func foreignKeyFailure(_ key: String, of table: String, _ reason: String) -> Failure {
        Failure(
            .definition,
            "the foreign key \(key) of the table \(table) does not let the store \(name) change: \(reason). Where rows of"
                + " others refer to objects that go, delete these rows first, or declare the key ON DELETE CASCADE or"
                + " ON DELETE SET NULL")
    }

    /// The server says nothing any more.
    func lostConnection() -> Failure {
        Failure(.unavailable, "the connection to the store \(name) was lost: \(lastMessage)")
    }

    /// Why no connection could be made.
    func connectionFailure() -> Failure {
        let message = lastMessage
        let code = code(in: message)
        let reason = code.map { message.replacingExactly(":  \($0): ", with: ": ") } ?? message
        switch code {
        case .some("3D000"): return Failure(.definition, "the store \(name) is not there: \(reason)")
        case .some("53300"):
            return Failure(.busy, "the store \(name) has no connection left: \(reason); try again later")
        case .some(let code) where code.hasPrefix("28") || code == "42501":
            return Failure(.refused, "the store \(name) refuses the connection: \(reason)")
        case .some: break
        case nil: if let failure = ownRefusal(reason) { return failure }
        }
        return Failure(.unavailable, "the store \(name) cannot be reached: \(reason)")
    }

    /// What libpq itself refuses, with the key of the definition that decides it; nil: it is something else.
    private func ownRefusal(_ reason: String) -> Failure? {
        if reason.contains("does not support SSL") {
            return Failure(
                .definition,
                "the store \(name) is on a server without TLS, which \"tls\" asks for (\"verify-full\" where the definition"
                    + " says nothing): give the server a certificate, or, where the network is to be trusted, say"
                    + " \"tls\": \"disable\" beside \"database\" (\(reason))")
        }
        if reason.contains("no password supplied") {
            return Failure(
                .refused,
                "the store \(name) asks for a password, and there is none: say \"password\" beside \"database\", or write it"
                    + " into ~/.pgpass (\(reason))")
        }
        // What could be done follows in another line.
        if let file = messages.last(where: { $0.contains("root certificate file") }) {
            return Failure(
                .definition,
                "there is no file of those who vouch for the server of the store \(name): say \"certificates\" beside"
                    + " \"database\" (\(file))")
        }
        if reason.contains("certificate verify failed") {
            return Failure(
                .unavailable,
                "the store \(name) cannot be reached: \(reason); \"certificates\" beside \"database\" names those who may"
                    + " vouch for it")
        }
        return nil
    }

    /// The code in what a server says before there is a session: `FATAL:  28P01: password authentication failed`.
    private func code(in message: String) -> String? {
        message.split(separator: ":  ").dropFirst().compactMap { part in
            let code = part.prefix { $0 != ":" }
            return code.utf8.count == 5 && code.utf8.allSatisfy(isOfCode) ? String(code) : nil
        }.first
    }

    private func isOfCode(_ byte: UInt8) -> Bool {
        byte.isDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    /// The last line of what libpq says: of several attempts to connect, the last one's. Questions that it asks follow
    /// behind a tab.
    private var lastMessage: String {
        messages.last { !$0.hasPrefix("LOCATION") && !$0.hasPrefix("\t") } ?? "the server has closed it"
    }

    private var messages: [String] {
        guard let text = unsafe PQerrorMessage(handle) else { return ["no reason given"] }
        return unsafe String(cString: text).split(separator: "\n").map(String.init)
    }

    private func field(_ result: OpaquePointer, _ code: sluice_pg_field) -> String? {
        unsafe PQresultErrorField(result, Int32(code.rawValue)).map { unsafe String(cString: $0) }
    }

    /// The beginning of a statement, in one line.
    private func shown(_ sql: String) -> String {
        let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > 200 ? line.prefix(199) + "…" : line
    }
}
