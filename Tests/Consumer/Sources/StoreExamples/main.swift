import SluiceServerStore
import SluiceStore
import Types

// Each example of the articles of SluiceStore stands here, line by line: so it compiles. DocumentedExampleTests
// compares.

func overview() async throws {
    let store = try Store("berlin-transit.sqlite", objects: [Stop.self, StopTime.self])
    let near = try await store.fetch(
        Stop.filter { $0.name == "S+U Alexanderplatz Bhf" && $0.latitude > 52.5 }.sorted { [$0.stopID.ascending] }
            .limit(20))
    for stop in near { print(stop.name ?? stop.stopID) }
}

func onServer() async throws {
    let store = try Store(
        server: "postgresql://reader@db.example.org/transit", schema: "transit", password: .file("db-password"),
        objects: [Stop.self, StopTime.self])
    print(try await store.count(Stop.all))
}

func progress(_ store: Store) async throws {
    let whole = CombinedProgress { fraction in print("\(Int(fraction * 100)) %") }
    let stops = whole.part(weight: 1)
    let times = whole.part(weight: 9)
    for try await batch in store.batches(Stop.all).onProgress({ stops.report($0.fraction) }) { print(batch.count) }
    for try await batch in store.batches(StopTime.all).onProgress({ times.report($0.fraction) }) { print(batch.count) }
}

func reading(_ store: Store) async throws {
    let stops = try await store.fetch(Stop.filter { $0.name.hasPrefix("S+U ") && !$0.platform.isNull })
    let alexanderplatz = try await store.object(Stop.self, identifier: "000010000301")
    let count = try await store.count(StopTime.filter { $0.stop == alexanderplatz?.objectID })
    let platforms = Stop.filter { $0.parent.isIn(Stop.filter { $0.name == "S+U Alexanderplatz Bhf" }) }
    let times = try await store.fetch(StopTime.filter { $0.stop.isIn(platforms) }.sorted { [$0.arrival.ascending] })
    let radius = 0.01
    let close = try await store.fetch(Stop.filter { Condition(sql: "abs(\($0.latitude) - \(52.52)) < \(radius)") })
    for try await batch in store.batches(StopTime.all, of: 5000).onProgress({ print($0.fraction) }) {
        for time in batch { print(time.tripID, time.sequence) }
    }
    let (stop, departures) = try await store.read { view throws(StoreError) in
        let stop = try view.object(Stop.self, identifier: "000010000301")
        let departures = try view.fetch(StopTime.filter { $0.stop == stop?.objectID }.limit(10))
        return (stop, departures)
    }
    struct Busiest: Decodable {
        var name: String
        var calls: Int
    }
    let sql =
        "SELECT s.name, count(*) AS calls FROM Stop s JOIN StopTime t ON t.stop = s.objectID GROUP BY 1 HAVING calls > ?"
    let busiest = try await store.decode(Busiest.self, sql, 3)
    print("reading", stops.count, count, times.count, close.count, stop?.name ?? "", departures.count, busiest.count)
}

func finding(_ store: Store) async throws {
    for stop in try await store.search(Stop.self, "alex bhf", limit: 5) { print(stop.name ?? stop.stopID) }
    for near in try await store.near(Stop.self, 52.5219, 13.4132, within: 500) {
        print(near.object.name ?? near.object.stopID, "\(Int(near.distance)) m")
    }
}

func related(_ store: Store) async throws {
    let calls = StopTime.filter { $0.stop.its { $0.name }.hasPrefix("S+U ") }
    let byName = try await store.fetch(calls.sorted { [$0.stop.its { $0.name }.ascending] })
    for (time, stop) in try await store.fetch(StopTime.all.limit(20).including { $0.stop }) {
        print(time.tripID, stop?.name ?? "")
    }
    let stops = Stop.all.including(StopTime.all.sorted { [$0.arrival.ascending] }, by: { $0.stop })
    for (stop, times) in try await store.fetch(stops) { print(stop.name ?? "", times.count) }
    let last = try await store.aggregate(StopTime.all) { $0.sequence.maximum }
    let perStop = try await store.aggregate(StopTime.all, by: { $0.stop }, { $0.objectID.count })
    print("related", byName.count, last ?? 0, perStop.count)
}

func observing(_ store: Store) async throws {
    for try await stops in store.observe(Stop.filter { $0.platform.isNull }) { print(stops.count) }
    let numbers = store.observe(of: [Stop.self, StopTime.self]) { view throws(StoreError) in
        [try view.count(Stop.all), try view.count(StopTime.all)]
    }
    for try await number in numbers { print("stops and times:", number) }
}

/// The lines of `coming-from.md`.
func comingFrom() async throws {
    let store = try Store("berlin-transit.sqlite", access: .write, objects: [Stop.self, StopTime.self])
    let stop = try await store.object(Stop.self, identifier: "000010000301")
    let some = try await store.fetch(
        Stop.filter { $0.name.hasPrefix("S+U ") && $0.latitude > 52.5 }.sorted { [$0.name.ascending] }.limit(20))
    let count = try await store.count(Stop.filter { $0.platform.isNull })
    let pairs = try await store.fetch(StopTime.all.including { $0.stop })
    let withTimes = try await store.fetch(Stop.all.including(StopTime.all, by: { $0.stop }))
    let atAlex = try await store.fetch(StopTime.filter { $0.stop.its { $0.name } == "S+U Alexanderplatz Bhf" })
    let last = try await store.aggregate(StopTime.all) { $0.sequence.maximum }
    let calls = try await store.aggregate(StopTime.all, by: { $0.stop }, { $0.objectID.count })
    for try await batch in store.batches(StopTime.all, of: 1000) { print(batch.count) }
    let ids = try await store.insert([Stop.New(stopID: "x", name: "Hier")])
    let changed = try await store.update(Stop.filter { $0.stopID == "x" }) { [$0.name.set(to: "Dort")] }
    if let original = try await store.object(Stop.self, identifier: "x") {
        var edited = original
        edited.latitude = 52.5
        _ = try await store.save(edited, original: original)
    }
    let gone = try await store.delete(Stop.filter { $0.stopID == "x" })
    try await store.write { view throws(StoreError) in
        _ = try view.insert([Stop.New(stopID: "y")])
        _ = try view.delete(Stop.filter { $0.stopID == "y" })
    }
    let names = try await store.decode(Named.self, "SELECT name FROM Stop WHERE latitude > ?", 52.5)
    print(
        "coming from", stop?.name ?? "", some.count, count, pairs.count, withTimes.count, atAlex.count, last ?? 0,
        calls.count, ids.count, changed, gone, names.count)
}

struct Named: Decodable { var name: String? }

func updating() async throws {
    let store = try Store("places.sqlite", access: .write, objects: [Visit.self])
    let changed = try await store.update(Visit.filter { $0.stars.isNull }, result: .objectIDs) { [$0.stars.set(to: 3)] }
    let raised = try await store.update(Visit.filter { $0.stars < 5 }) { [$0.stars.set(to: $0.stars + 1)] }
    guard let original = try await store.fetch(Visit.all.limit(1)).first else { return }
    var visit = original
    visit.note = "rain"
    switch try await store.save(visit, original: original, onConflict: .keepStored) {
    case .saved, .unchanged: break
    case .merged(let conflicts): print("somebody else had changed \(conflicts)")
    case .gone: print("it was deleted")
    }
    let day = CalendarDate(year: 2026, month: 11, day: 22)
    let new = Visit.New(day: day ?? original.day, note: "snow", place: AcrossID("DE-BE"))
    let ids = try await store.insert([new])
    let deleted = try await store.delete(Visit.filter { $0.objectID.isIn(ids) })
    try await store.write { view throws(StoreError) in
        let worst = try view.view.fetch(Visit.all.sorted { [$0.stars.ascending] }.limit(1))
        _ = try view.delete(Visit.filter { $0.objectID.isIn(worst.map(\.objectID)) })
        _ = try view.update(Visit.all) { [$0.note.set(to: nil)] }
    }
    print("updating", changed, raised, deleted)
}

func backgroundImport(_ store: Store, _ savedToken: ChangeToken?) async throws {
    var savedToken = savedToken
    for try await changes in store.changes(of: [Stop.self, StopTime.self], after: savedToken) {
        for (entity, change) in changes.entities {
            print("\(entity): \(change.created) new, \(change.updated) changed, \(change.deleted) gone")
        }
        savedToken = changes.token
    }
    do throws(StoreError) {
        _ = try await store.update(Stop.filter { $0.stopID == "000010000301" }) { [$0.name.set(to: "Alex")] }
    } catch {
        if error.kind == .busy { print(error.message) }
    }
}

func seeds() async throws {
    let version = try await Seed.install(
        from: "https://example.org/regions.seed.json", to: "regions.sqlite", requiring: [Subdivision.self],
        key: SeedKey(path: "seed-key.pub.pem"), onProgress: { print($0.fraction) })
    print("version \(version.version)")
    let store = try Store(
        "places.sqlite", access: .write, seeds: ["regions": "regions.sqlite"], objects: [Visit.self, Subdivision.self])
    let visits = try await store.fetch(Visit.all)
    let places = try await store.resolve(visits.map(\.place), in: "regions")
    for visit in visits { print(visit.day, places[visit.place.identifier]?.name ?? "?") }
    let germany = try await store.fetch(Subdivision.filter { $0.code.hasPrefix("DE-") }.in("regions"))
    let lost = try await store.dangling(Visit.columns.place, in: "regions")
    print(germany.count, lost.count)
}

func edits() async throws {
    let store = try Store("places.sqlite", access: .write, objects: [Visit.self])
    for edit in try await store.edits(of: Visit.all) where edit.isConflict {
        print(edit.attribute, edit.before ?? "nothing", edit.stored ?? "nothing", edit.feed ?? "nothing")
    }
    try await store.settleEdits(of: Visit.filter { $0.stars.isNull }, .takeFeed)
}

func versions() async throws {
    let store = try Store("berlin-transit.sqlite")
    for version in try await store.versions(of: "Stop", identifier: "ostkreuz") {
        print(version.fromRun, version["name"] ?? .null)
    }
    let march = try await store.at(run: 12, output: "march.sqlite")
    print(try await march.fetch(Stop.all).count)
}

/// The whole program of `programs.md`.
func wholeProgram() async throws {
    let store = try Store("berlin-transit.sqlite", access: .write, objects: [Stop.self, StopTime.self])

    // Reads: stations, which have no platform, by their names.
    let stations = Stop.filter { $0.platform.isNull && $0.name.hasPrefix("S+U ") }.sorted { [$0.name.ascending] }
    for station in try await store.fetch(stations) { print(station.stopID, station.name ?? "without a name") }

    // Follows a reference: the stop of each call of a trip.
    let calls = StopTime.filter { $0.tripID == "148620251" }.sorted { [$0.sequence.ascending] }
    for (call, stop) in try await store.fetch(calls.including { $0.stop }) {
        print(call.arrival ?? "", stop?.name ?? "a stop that the feed does not have")
    }

    // Writes: to all objects of a query, in one transaction.
    let changed = try await store.update(stations) { [$0.platform.set(to: "all")] }
    print("changed", changed)
}

/// What needs no service is run as well: in a folder with both stores.
func visit() async throws {
    let store = try Store("places.sqlite", access: .write, objects: [Visit.self])
    let days = (20...21).compactMap { CalendarDate(year: 2026, month: 11, day: $0) }
    _ = try await store.insert(days.map { Visit.New(day: $0, place: AcrossID("DE-BE")) })
}

if CommandLine.arguments.contains("run") {
    try await overview()
    try await progress(Store("berlin-transit.sqlite"))
    try await reading(Store("berlin-transit.sqlite", objects: [Stop.self, StopTime.self]))
    try await related(Store("berlin-transit.sqlite"))
    try await visit()
    try await updating()
    try await edits()
    try await comingFrom()
    try await wholeProgram()
    let left = try await Store("places.sqlite").fetch(Visit.all)
    print("left", left.count, left.first?.stars ?? 0, left.first?.note ?? "no note")
}
