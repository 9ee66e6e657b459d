/// Finds out what of a history that fails can be left out: nights, what is special about them, elements of their feeds.
struct Shortening {
    let seed: Int
    let ways: [Way]
    let folder: String
    /// How many histories are still tried at the most.
    private var tries: Int
    private(set) var cuts = History.Cuts()
    /// The last night.
    private var last: Int
    private(set) var trouble: History.Trouble
    /// What its nights were.
    private(set) var log: [String] = []

    init(_ seed: Int, _ trouble: History.Trouble, ways: [Way], folder: String, tries: Int) {
        (self.seed, self.trouble, self.ways, self.folder, self.tries) = (seed, trouble, ways, folder, tries)
        last = trouble.night
    }

    /// Leaves out as much as it can; the shortest history that fails is in the folder then.
    mutating func shorten() {
        for night in stride(from: last - 1, through: 0, by: -1) { attempt { $0.nights.insert(night) } }
        let nights = (0...last).filter { !cuts.nights.contains($0) }
        for night in nights { attempt { $0.plain.insert(night) } }
        for night in nights.reversed() { thin(night) }
        _ = run(cuts)
    }

    /// Leaves out elements: many at once, then fewer.
    private mutating func thin(_ night: Int) {
        guard let count = run(cuts)?.elements[night], count > 0 else { return }
        var size = count
        while size > 0, tries > 0 {
            for start in stride(from: 1, through: count, by: size) {
                let chunk = Set(start..<min(start + size, count + 1))
                if cuts.elements[night, default: []].isSuperset(of: chunk) { continue }
                attempt { $0.elements[night, default: []].formUnion(chunk) }
            }
            size /= 2
        }
    }

    /// Keeps a cut if the history fails all the same.
    private mutating func attempt(_ cut: (inout History.Cuts) -> Void) {
        guard tries > 0 else { return }
        var shorter = cuts
        cut(&shorter)
        if run(shorter)?.trouble != nil { cuts = shorter }
    }

    /// What the history came to, and how many elements the feeds of each night had before any were cut.
    private mutating func run(_ cuts: History.Cuts) -> (trouble: History.Trouble?, elements: [Int: Int])? {
        tries -= 1
        do {
            let history = try History(seed, ways: ways, folder: folder, cuts: cuts)
            let found = try history.run(nights: last + 1)
            if let found { (trouble, last, log) = (found, found.night, history.log) }
            return (found, history.elements)
        } catch {
            // A history that cannot even be tried is another one.
            return nil
        }
    }
}
