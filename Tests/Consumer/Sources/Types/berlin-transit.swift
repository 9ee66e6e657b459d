// The objects of the pipeline berlin-transit, written by `sluice swift`. Do not edit it: write it anew when the
// definition changes.
// swift-format-ignore-file

import SluiceStore

/// An object of the entity `Stop`, which `stop_id` identifies.
public struct Stop: StoredObject, Hashable, Codable {
    public static let entity = "Stop"
    public let objectID: ObjectID<Stop>
    /// The attribute `stop_id`.
    public var stopID: String
    /// The attribute `name`.
    public var name: String?
    /// The attribute `latitude`.
    public var latitude: Double?
    /// The attribute `longitude`.
    public var longitude: Double?
    /// The attribute `platform`.
    public var platform: String?
    /// The relationship `parent`.
    public var parent: ObjectID<Stop>?

    public var identifier: String { stopID }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        stopID = try row.value(1)
        name = try row.value(2)
        latitude = try row.value(3)
        longitude = try row.value(4)
        platform = try row.value(5)
        parent = try row.objectID(6)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Stop
        /// The attribute `stop_id`.
        public var stopID: String
        /// The attribute `name`.
        public var name: String?
        /// The attribute `latitude`.
        public var latitude: Double?
        /// The attribute `longitude`.
        public var longitude: Double?
        /// The attribute `platform`.
        public var platform: String?
        /// The relationship `parent`.
        public var parent: ObjectID<Stop>?

        /// All values.
        public init(
            stopID: String,
            name: String? = nil,
            latitude: Double? = nil,
            longitude: Double? = nil,
            platform: String? = nil,
            parent: ObjectID<Stop>? = nil
        ) {
            self.stopID = stopID
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
            self.platform = platform
            self.parent = parent
        }

        public var values: [any StoreValue] { [stopID, name, latitude, longitude, platform, parent] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Stop, ObjectID<Stop>>.objectID
        public let stopID = Column<Stop, String>("stop_id")
        public let name = Column<Stop, String?>("name")
        public let latitude = Column<Stop, Double?>("latitude")
        public let longitude = Column<Stop, Double?>("longitude")
        public let platform = Column<Stop, String?>("platform")
        public let parent = Column<Stop, ObjectID<Stop>?>("parent")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Stop>(
        table: "Stop", identifier: ["stop_id"],
        [
            .init(columns.stopID) { $0.stopID },
            .init(columns.name) { $0.name },
            .init(columns.latitude) { $0.latitude },
            .init(columns.longitude) { $0.longitude },
            .init(columns.platform) { $0.platform },
            .init(columns.parent, references: .init("parent", to: ["Stop"])) { $0.parent },
        ])
}

/// An object of the entity `Route`, which `route_id` identifies.
public struct Route: StoredObject, Hashable, Codable {
    public static let entity = "Route"
    public let objectID: ObjectID<Route>
    /// The attribute `route_id`.
    public var routeID: String
    /// The attribute `name`.
    public var name: String?
    /// The attribute `description`.
    public var description: String?
    /// The attribute `kind`.
    public var kind: String?

    public var identifier: String { routeID }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        routeID = try row.value(1)
        name = try row.value(2)
        description = try row.value(3)
        kind = try row.value(4)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Route
        /// The attribute `route_id`.
        public var routeID: String
        /// The attribute `name`.
        public var name: String?
        /// The attribute `description`.
        public var description: String?
        /// The attribute `kind`.
        public var kind: String?

        /// All values.
        public init(
            routeID: String,
            name: String? = nil,
            description: String? = nil,
            kind: String? = nil
        ) {
            self.routeID = routeID
            self.name = name
            self.description = description
            self.kind = kind
        }

        public var values: [any StoreValue] { [routeID, name, description, kind] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Route, ObjectID<Route>>.objectID
        public let routeID = Column<Route, String>("route_id")
        public let name = Column<Route, String?>("name")
        public let description = Column<Route, String?>("description")
        public let kind = Column<Route, String?>("kind")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Route>(
        table: "Route", identifier: ["route_id"],
        [
            .init(columns.routeID) { $0.routeID },
            .init(columns.name) { $0.name },
            .init(columns.description) { $0.description },
            .init(columns.kind) { $0.kind },
        ])
}

/// An object of the entity `Trip`, which `trip_id` identifies.
public struct Trip: StoredObject, Hashable, Codable {
    public static let entity = "Trip"
    public let objectID: ObjectID<Trip>
    /// The attribute `trip_id`.
    public var tripID: String
    /// The attribute `headsign`.
    public var headsign: String?
    /// The relationship `route`.
    public var route: ObjectID<Route>?

    public var identifier: String { tripID }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        tripID = try row.value(1)
        headsign = try row.value(2)
        route = try row.objectID(3)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Trip
        /// The attribute `trip_id`.
        public var tripID: String
        /// The attribute `headsign`.
        public var headsign: String?
        /// The relationship `route`.
        public var route: ObjectID<Route>?

        /// All values.
        public init(
            tripID: String,
            headsign: String? = nil,
            route: ObjectID<Route>? = nil
        ) {
            self.tripID = tripID
            self.headsign = headsign
            self.route = route
        }

        public var values: [any StoreValue] { [tripID, headsign, route] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Trip, ObjectID<Trip>>.objectID
        public let tripID = Column<Trip, String>("trip_id")
        public let headsign = Column<Trip, String?>("headsign")
        public let route = Column<Trip, ObjectID<Route>?>("route")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Trip>(
        table: "Trip", identifier: ["trip_id"],
        [
            .init(columns.tripID) { $0.tripID },
            .init(columns.headsign) { $0.headsign },
            .init(columns.route, references: .init("route", to: ["Route"])) { $0.route },
        ])
}

/// An object of the entity `StopTime`, which `trip_id`, `sequence` identifies.
public struct StopTime: StoredObject, Hashable, Codable {
    public static let entity = "StopTime"
    public let objectID: ObjectID<StopTime>
    /// The attribute `trip_id`.
    public var tripID: String
    /// The attribute `sequence`.
    public var sequence: Int
    /// The attribute `arrival`.
    public var arrival: String?
    /// The attribute `departure`.
    public var departure: String?
    /// The relationship `trip`.
    public var trip: ObjectID<Trip>?
    /// The relationship `stop`.
    public var stop: ObjectID<Stop>?

    public var identifier: Identifier { Identifier(tripID: tripID, sequence: sequence) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.tripID, identifier.sequence] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `trip_id`.
        public var tripID: String
        /// The attribute `sequence`.
        public var sequence: Int

        /// All values.
        public init(
            tripID: String,
            sequence: Int
        ) {
            self.tripID = tripID
            self.sequence = sequence
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        tripID = try row.value(1)
        sequence = try row.value(2)
        arrival = try row.value(3)
        departure = try row.value(4)
        trip = try row.objectID(5)
        stop = try row.objectID(6)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = StopTime
        /// The attribute `trip_id`.
        public var tripID: String
        /// The attribute `sequence`.
        public var sequence: Int
        /// The attribute `arrival`.
        public var arrival: String?
        /// The attribute `departure`.
        public var departure: String?
        /// The relationship `trip`.
        public var trip: ObjectID<Trip>?
        /// The relationship `stop`.
        public var stop: ObjectID<Stop>?

        /// All values.
        public init(
            tripID: String,
            sequence: Int,
            arrival: String? = nil,
            departure: String? = nil,
            trip: ObjectID<Trip>? = nil,
            stop: ObjectID<Stop>? = nil
        ) {
            self.tripID = tripID
            self.sequence = sequence
            self.arrival = arrival
            self.departure = departure
            self.trip = trip
            self.stop = stop
        }

        public var values: [any StoreValue] { [tripID, sequence, arrival, departure, trip, stop] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<StopTime, ObjectID<StopTime>>.objectID
        public let tripID = Column<StopTime, String>("trip_id")
        public let sequence = Column<StopTime, Int>("sequence")
        public let arrival = Column<StopTime, String?>("arrival")
        public let departure = Column<StopTime, String?>("departure")
        public let trip = Column<StopTime, ObjectID<Trip>?>("trip")
        public let stop = Column<StopTime, ObjectID<Stop>?>("stop")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<StopTime>(
        table: "StopTime", identifier: ["trip_id", "sequence"],
        [
            .init(columns.tripID) { $0.tripID },
            .init(columns.sequence) { $0.sequence },
            .init(columns.arrival) { $0.arrival },
            .init(columns.departure) { $0.departure },
            .init(columns.trip, references: .init("trip", to: ["Trip"])) { $0.trip },
            .init(columns.stop, references: .init("stop", to: ["Stop"])) { $0.stop },
        ])
}
