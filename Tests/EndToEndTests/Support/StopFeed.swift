import TestSupport

/// The feed with which searches are tried, in a file and on a server: stops with a name and a place.
struct StopFeed {
    typealias Stop = (id: String, name: String?, y: Double?, x: Double?)

    let words: [String]
    /// What stands between the words of a name.
    var separators = ["-"]

    /// Up to so many stops, of which some have no name.
    func stops(_ random: inout SeededRandom, _ count: Int) -> [Stop] {
        (0..<count).compactMap { id in
            guard Int.random(in: 0..<10, using: &random) > 0 else { return nil }
            let name = (0..<2).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: separators.randomElement(using: &random) ?? "")
            let isNameless = Int.random(in: 0..<9, using: &random) == 0
            let place = [95.0, 180].map { Double.random(in: -$0...$0, using: &random) }
            return ("s\(id)", isNameless ? nil : name, place[0], place[1])
        }
    }

    /// Their feed; the note of each is its identifier behind an `n`.
    static func text(_ stops: [Stop]) -> String {
        let lines = stops.map { stop in
            let name = stop.name.map { "\"\($0)\"" } ?? "null"
            let place = [stop.y, stop.x].map { $0.map { "\($0)" } ?? "null" }
            let (id, note) = (stop.id, "n\(stop.id)")
            return #"{"id": "\#(id)", "name": \#(name), "note": "\#(note)", "y": \#(place[0]), "x": \#(place[1])}"#
        }
        return #"{"stops": [\#(lines.joined(separator: ",\n"))]}"#
    }
}
