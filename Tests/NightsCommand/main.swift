import Glibc
import Nights

exit(NightsCommand.run(Array(CommandLine.arguments.dropFirst())))
