import Glibc
import Sluice

// A timetable: it installs a seed, shows departures, keeps favourites in a store of its own, and follows what changes in
// both while other programs change them.
//
//     timetable install MANIFEST          the newest timetable, if it is not there yet
//     timetable stops LETTERS             the stations that are called so
//     timetable near LATITUDE LONGITUDE   the stations within a kilometre and a half
//     timetable departures STATION        when what leaves from a station, and where to
//     timetable favourite STOP [NOTE]     remembers a stop
//     timetable favourites                what is remembered, with what the timetable calls it
//     timetable visit                     counts a visit of all favourites
//     timetable follow SECONDS            tells what changes
//
// Its files lie in the working directory: timetable.sqlite, favourites.sqlite, and the definition of the latter.

let timetable = "timetable.sqlite"
let favourites = "favourites.sqlite"

/// Installs the newest seed: a delta, where one fits what is there.
func install(_ manifest: String) async throws {
    let version = try await Seed.install(
        from: SeedSource(manifest), to: timetable, requiring: [Stop.self, Route.self, Trip.self, StopTime.self]
    ) { print("\(Int($0.fraction * 100)) %") }
    print("version \(version.version) of \(version.created)")
}

/// The stations whose names have words that begin with these letters.
func stops(_ letters: String) async throws {
    let store = try Store(timetable, objects: [Stop.self])
    for stop in try await store.search(Stop.self, letters) where stop.parent == nil { print(stop.name ?? stop.stopID) }
}

/// The stations near a place, with the way to each.
func stops(near latitude: Double, _ longitude: Double) async throws {
    let store = try Store(timetable, objects: [Stop.self])
    for near in try await store.near(Stop.self, latitude, longitude, within: 1500) where near.object.parent == nil {
        print("\(Int(near.distance)) m  \(near.object.name ?? near.object.stopID)")
    }
}

/// The departures from all platforms of a station, all of one moment.
func departures(_ station: String) async throws {
    let store = try Store(timetable, objects: [Stop.self, Route.self, Trip.self, StopTime.self])
    let lines = try await store.read { view throws(StoreError) in
        let stations = Stop.filter { $0.name == station }
        let stops = Stop.filter { $0.objectID.isIn(stations) || $0.parent.isIn(stations) }
        let times = try view.fetch(StopTime.filter { $0.stop.isIn(stops) }.sorted { [$0.departure.ascending] })
        let trips = try view.byID(Trip.filter { $0.objectID.isIn(times.compactMap(\.trip)) })
        let routes = try view.byID(Route.all)
        return times.map { time in
            let trip = time.trip.flatMap { trips[$0] }
            let route = trip?.route.flatMap { routes[$0]?.name } ?? "?"
            return "\(time.departure ?? "     ?  ")  \(route)  \(trip?.headsign ?? "")"
        }
    }
    print(lines.isEmpty ? "nothing leaves from \(station)" : lines.joined(separator: "\n"))
}

extension ReadView {
    /// The objects of a query, by their objectIDs.
    fileprivate func byID<Object>(_ query: Query<Object>) throws(StoreError) -> [ObjectID<Object>: Object] {
        Dictionary(uniqueKeysWithValues: try fetch(query).map { ($0.objectID, $0) })
    }
}

/// The users' store, with the timetable beside it; made where it is not there yet.
func openFavourites(_ access: Store.Access) async throws -> Store {
    if Glibc.access(favourites, F_OK) != 0 {
        let report = try await PipelineRun(try PipelineDefinition(contentsOf: "favourites.jsonc")).run()
        if let failure = report.outcome.error { throw failure }
    }
    return try Store(favourites, access: access, seeds: ["timetable": timetable], objects: [Favourite.self, Stop.self])
}

/// Remembers a stop, or changes its note.
func remember(_ stop: String, _ note: String?) async throws {
    let store = try await openFavourites(.write)
    guard let known = try await store.object(Favourite.self, identifier: AcrossID(stop)) else {
        _ = try await store.insert([Favourite.New(note: note, visits: 0, stop: AcrossID(stop))])
        return print("remembered")
    }
    var changed = known
    changed.note = note
    print(try await store.save(changed, original: known, onConflict: .overwrite) == .unchanged ? "known" : "changed")
}

/// What is remembered; what a new timetable does not have any more is said, and kept.
func showFavourites() async throws {
    let store = try await openFavourites(.read)
    let all = try await store.fetch(Favourite.all.sorted { [$0.visits.descending, $0.stop.ascending] })
    let stops = try await store.resolve(all.map(\.stop), in: "timetable")
    for favourite in all {
        let name = stops[favourite.stop.identifier].map { $0.name ?? $0.stopID } ?? "not in the timetable any more"
        let note = favourite.note.map { ": \($0)" } ?? ""
        print("\(favourite.stop.identifier)  \(name), \(favourite.visits ?? 0) visits\(note)")
    }
}

/// Counts a visit of all favourites, in one statement.
func visit() async throws {
    let store = try await openFavourites(.write)
    let result = try await store.update(Favourite.all) { [$0.visits.set(to: $0.visits + 1)] }
    print("\(result.count ?? 0) favourites")
}

/// Tells what changes in both stores, until the time is over.
func follow(_ seconds: Int) async throws {
    let own = try await openFavourites(.read)
    let stores = [("timetable", try Store(timetable)), ("favourites", own)]
    await withTaskGroup(of: Void.self) { group in
        for (name, store) in stores {
            group.addTask {
                do {
                    for try await changes in store.changes() {
                        print(told(name, changes))
                        // At once, also into a pipe.
                        fflush(nil)
                    }
                } catch {
                    // Cancelled: the time is over.
                }
            }
        }
        try? await Task.sleep(for: .seconds(seconds))
        group.cancelAll()
    }
}

func told(_ name: String, _ changes: StoreChanges) -> String {
    if changes.seedReplaced { return "\(name): a new version" }
    return changes.entities.sorted { $0.key < $1.key }.map { entity, change in
        "\(name): \(entity) +\(change.created) ~\(change.updated) -\(change.deleted)"
    }.joined(separator: "\n")
}

let words = Array(CommandLine.arguments.dropFirst())
do {
    switch (words.first, words.count) {
    case ("install", 2): try await install(words[1])
    case ("stops", 2): try await stops(words[1])
    case ("near", 3): try await stops(near: Double(words[1]) ?? .nan, Double(words[2]) ?? .nan)
    case ("departures", 2): try await departures(words[1])
    case ("favourite", 2...3): try await remember(words[1], words.count > 2 ? words[2] : nil)
    case ("favourites", 1): try await showFavourites()
    case ("visit", 1): try await visit()
    case ("follow", 2): try await follow(Int(words[1]) ?? 10)
    default:
        print(
            "timetable install MANIFEST | stops LETTERS | near LATITUDE LONGITUDE | departures STATION | "
                + "favourite STOP [NOTE] | favourites | visit | follow SECONDS"
        )
        exit(64)
    }
} catch let error as StoreError where error.kind == .busy {
    print("somebody else is writing: \(error.message)")
    exit(75)
} catch {
    print("\(error)")
    exit(1)
}
