import Foundation

/// Histories of stores, one seed after the other: `nights --nights 1000 --seed 1`.
package enum NightsCommand {
    /// Nights of one history, unless said otherwise.
    private static let length = 12

    /// Prints a line, at once.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// Runs what the arguments ask for; returns the exit status: 1 where a history failed.
    package static func run(_ arguments: [String]) -> Int32 {
        var values: [String: String] = [:]
        for (name, value) in zip(arguments, arguments.dropFirst()) where name.hasPrefix("--") {
            values[String(name.dropFirst(2))] = value
        }
        func number(_ name: String, _ usual: Int) -> Int { values[name].flatMap { Int($0) } ?? usual }
        let name = values["ways"] ?? ProcessInfo.processInfo.environment["SLUICE_NIGHTS_WAYS"]
        guard let ways = name.map({ Way.named($0) }) ?? [.plain] else {
            say("--ways: there is \(Way.names.joined(separator: ", "))")
            return 64
        }
        let folder = values["folder"] ?? "/dev/shm/sluice-nights-\(ProcessInfo.processInfo.processIdentifier)"
        let nights = NightsRun(
            seed: number("seed", 1), nights: number("nights", 1000), length: number("length", length),
            step: number("step", 1), ways: ways, folder: folder, tries: number("shorten", 0))
        return nights.perform() ? 0 : 1
    }
}

/// Some nights, of as many histories as they need.
struct NightsRun {
    let seed: Int
    let nights: Int
    let length: Int
    /// From one seed to the next: several processes share the seeds.
    let step: Int
    let ways: [Way]
    let folder: String
    /// How many shorter histories are tried of each that fails.
    let tries: Int

    /// Returns whether all went well.
    func perform() -> Bool {
        let start = ContinuousClock.now
        var (done, failed, tally) = (0, [Int](), NightTally())
        var current = seed
        while done < nights {
            let trouble = run(current, &tally)
            if let trouble {
                failed.append(current)
                show(current, trouble)
                if tries > 0 { shorten(current, trouble) }
            }
            done += trouble.map { $0.night + 1 } ?? length
            current += step
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        NightsCommand.say(tally.text)
        let rate = (Double(done) / seconds).formatted(.number.precision(.fractionLength(1)))
        NightsCommand.say("\(done) nights, \(rate) a second; seeds \(seed) to \(current - step); failed: \(failed)")
        return failed.isEmpty
    }

    private func run(_ seed: Int, _ tally: inout NightTally) -> History.Trouble? {
        do {
            let history = try History(seed, ways: ways, folder: "\(folder)/\(seed)")
            defer { tally.add(history.tally) }
            let trouble = try history.run(nights: length)
            if trouble != nil { NightsCommand.say(history.log.joined(separator: "\n")) }
            if trouble == nil { history.remove() }
            return trouble
        } catch {
            return History.Trouble(night: 0, differences: ["\(error)"])
        }
    }

    private func show(_ seed: Int, _ trouble: History.Trouble) {
        NightsCommand.say("seed \(seed), night \(trouble.night), in \(folder)/\(seed):")
        for difference in trouble.differences.prefix(20) { NightsCommand.say("  \(difference)") }
        NightsCommand.say("  again: make nights SEED=\(seed) NIGHTS=1")
    }

    private func shorten(_ seed: Int, _ trouble: History.Trouble) {
        var shortening = Shortening(seed, trouble, ways: ways, folder: "\(folder)/\(seed)", tries: tries)
        shortening.shorten()
        NightsCommand.say("shortened, without the nights \(shortening.cuts.nights.sorted()):")
        NightsCommand.say(shortening.log.joined(separator: "\n"))
        for difference in shortening.trouble.differences.prefix(20) { NightsCommand.say("  \(difference)") }
    }
}
