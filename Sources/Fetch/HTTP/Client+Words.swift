import SluiceRecords

/// What services say where they have no feed, as messages show it.
extension Client {
    /// A refusal in the words of the service.
    ///
    /// - Parameter page: the number of the page that was asked for.
    func refused(_ answer: Answer, _ kind: Failure.Kind, page: Int? = nil) -> Failure {
        let words = words(of: answer.exchange).map { ": \($0)" } ?? ""
        let sent = kind == .refused ? " (\(credentials(for: answer.address)))" : ""
        let name = PageName(answer.address.shown, page)
        return Failure(
            kind, cleaned("\(name) answered with status \(answer.exchange.head.status)\(words)\(sent)"))
    }

    /// What a service says where it has no feed; nil: nothing.
    private func words(of exchange: Exchange) -> String? { ContentCheck.refusal(shown(exchange, 2 << 10)) }

    /// What the last answer says, if it is a refusal; nil: nothing.
    var lastWords: String? {
        guard let exchange, exchange.head.isWhole, exchange.stop == nil, exchange.head.status >= 400 else { return nil }
        return words(of: exchange)
    }

    /// What a service had to tell who asks, by name; never a value.
    private func credentials(for address: WebAddress) -> String {
        guard address.isOfSameService(as: access.start) else {
            return "sent no credentials: they are for \(access.start.shown) alone"
        }
        let headers = sent.filter { !["accept", "user-agent"].contains($0.lowercased()) }
        let names = headers.map { "the header \($0)" } + access.authorizer.credentials.query.map { "?\($0.name)" }
        return names.isEmpty
            ? "sent no credentials: \(request.credentialsHint)" : "sent \(names.joined(separator: ", "))"
    }

    /// Where a page comes from that is no feed, and its title: a service that wants a login redirects to it.
    func origin(of answer: Answer) -> String {
        let place = answer.address.shown == name ? "" : "; it was redirected to \(answer.address.shown)"
        let bytes = shown(answer.exchange, 8 << 10)
        let title = ContentCheck.title(bytes).map { "; the page is called \"\($0)\"" }
        let words = title == nil ? ContentCheck.words(bytes).map { "; the page says \"\($0)\"" } : nil
        return cleaned(place + (title ?? words ?? ""))
    }

    /// The first bytes of an answer, as they may be shown.
    private func shown(_ exchange: Exchange, _ count: Int) -> [UInt8] {
        access.authorizer.credentials.redaction.cleaned(exchange.beginning(count))
    }
}
