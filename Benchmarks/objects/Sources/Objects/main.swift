import SluiceStore

// Does one thing with the stop times of a store, and says how many and a sum, which the C program says, too.
// `Objects fetch|kept|batches|codable|update|ids|look-up|across|cancel STORE`

struct Row: Decodable, Sendable {
    var trip_id: String
    var sequence: Int
    var arrival: String?
    var departure: String?
    var trip: Int?
    var stop: Int?
}

let mode = CommandLine.arguments[1]
let path = CommandLine.arguments[2]

/// Every look-up of another object, in an order that is not that of the store.
func identifiers(_ count: Int) -> [Int] { (0..<count).map { $0 * 7919 % count } }

switch mode {
case "fetch":
    let store = try Store(path, objects: [StopTime.self])
    let (count, sum) = try await store.read { view throws(StoreError) in
        var (count, sum) = (0, 0)
        try view.forEach(StopTime.all) { time throws(StoreError) in
            count += 1
            sum += time.sequence + time.tripID.utf8.count
        }
        return (count, sum)
    }
    print(count, sum)
case "kept":
    let times = try await Store(path, objects: [StopTime.self]).fetch(StopTime.all)
    print(times.count, times.reduce(0) { $0 + $1.sequence + $1.tripID.utf8.count })
case "batches":
    let store = try Store(path, objects: [StopTime.self])
    var (count, sum) = (0, 0)
    for try await batch in store.batches(StopTime.all) {
        count += batch.count
        for time in batch { sum += time.sequence + time.tripID.utf8.count }
    }
    print(count, sum)
case "codable":
    let rows = try await Store(path).decode(
        Row.self, "SELECT trip_id, sequence, arrival, departure, trip, stop FROM StopTime")
    print(rows.count, rows.reduce(0) { $0 + $1.sequence + $1.trip_id.utf8.count })
case "update", "ids":
    let store = try Store(path, access: .write, objects: [StopTime.self])
    let result = try await store.update(
        StopTime.filter { $0.sequence > 1 }, result: mode == "ids" ? .objectIDs : .count
    ) { [$0.arrival.set(to: "12:00:00")] }
    print(result.count ?? 0, 0)
case "cancel":
    // How long the slowest of twenty cancelled queries went on, in milliseconds.
    let store = try Store(path)
    let endless = "SELECT sum(a.sequence + b.sequence) AS sequence FROM StopTime a, StopTime b"
    struct Sum: Decodable, Sendable { var sequence: Int? }
    var worst = Duration.zero
    for _ in 0..<20 {
        let task = Task { try await store.decode(Sum.self, endless) }
        try await Task.sleep(for: .milliseconds(20))
        let start = ContinuousClock.now
        task.cancel()
        _ = await task.result
        worst = max(worst, start.duration(to: .now))
    }
    print(Double(worst.components.attoseconds) / 1e15 + Double(worst.components.seconds) * 1000)
default:
    let store = try Store(path, seeds: mode == "across" ? ["seed": CommandLine.arguments[3]] : [:])
    let isAcross = mode == "across"
    let (count, sum) = try await store.read { view throws(StoreError) in
        let names = try view.fetch(isAcross ? Stop.all.in("seed") : Stop.all).map(\.stopID)
        var (count, sum) = (0, 0)
        for _ in 0..<20 {
            for place in identifiers(names.count) {
                let name = names[place]
                let stop =
                    try isAcross
                    ? view.object(Stop.self, identifier: name, in: "seed") : view.object(Stop.self, identifier: name)
                count += 1
                sum += stop?.stopID.utf8.count ?? 0
            }
        }
        return (count, sum)
    }
    print(count, sum)
}
