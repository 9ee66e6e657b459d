import Sluice
import SluiceFetch

extension Command {
    static let login = Command(
        name: "login", arguments: "PIPELINE",
        summary: "let somebody log in at the services of a pipeline",
        detail: """
            Shows an address and a code for each service of the pipeline definition PIPELINE
            whose "oauth2" has a "deviceUrl": whoever enters the code there, in a browser, lets
            runs have tokens. What the service gives is kept for them, readable by its owner
            only.
            """,
        options: [
            Option("source", value: "NAME", "only the service of this source")
        ],
        run: { arguments in
            let definition = try readDefinition(arguments.onlyArgument("PIPELINE"))
            let source = arguments.last("source")
            let logins = try definition.logins(of: source)
            try definition.requireForLogin(of: source)
            for oauth in logins {
                let login = try DeviceLogin(oauth, FetchSession(.sluice, onRetry: { Log.standard.write($0) }))
                var text = "Open \(login.address.printable) and enter the code \(login.code.printable)\n"
                if let address = login.wholeAddress { text += "or open \(address.printable)\n" }
                try printOutput(text)
                try printOutput("Logged in. The token is kept in \(login.wait().printable)\n")
            }
            return 0
        })
}
