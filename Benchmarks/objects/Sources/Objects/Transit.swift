// The objects of the pipeline transit, written by `sluice swift`. Do not edit it: write it anew when the
// definition changes.
// swift-format-ignore-file

import SluiceStore

/// An object of the entity `Route`, which `route_id` identifies.
public struct Route: StoredObject, Hashable, Codable {
    public static let entity = "Route"
    public let objectID: ObjectID<Route>
    /// The attribute `route_id`.
    public var routeID: String
    /// The attribute `short_name`.
    public var shortName: String?
    /// The attribute `long_name`.
    public var longName: String?
    /// The attribute `type`.
    public var type: Int?
    /// The attribute `color`.
    public var color: String?

    public var identifier: String { routeID }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        routeID = try row.value(1)
        shortName = try row.value(2)
        longName = try row.value(3)
        type = try row.value(4)
        color = try row.value(5)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Route
        /// The attribute `route_id`.
        public var routeID: String
        /// The attribute `short_name`.
        public var shortName: String?
        /// The attribute `long_name`.
        public var longName: String?
        /// The attribute `type`.
        public var type: Int?
        /// The attribute `color`.
        public var color: String?

        /// All values.
        public init(
            routeID: String,
            shortName: String? = nil,
            longName: String? = nil,
            type: Int? = nil,
            color: String? = nil
        ) {
            self.routeID = routeID
            self.shortName = shortName
            self.longName = longName
            self.type = type
            self.color = color
        }

        public var values: [any StoreValue] { [routeID, shortName, longName, type, color] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Route, ObjectID<Route>>.objectID
        public let routeID = Column<Route, String>("route_id")
        public let shortName = Column<Route, String?>("short_name")
        public let longName = Column<Route, String?>("long_name")
        public let type = Column<Route, Int?>("type")
        public let color = Column<Route, String?>("color")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Route>(
        table: "Route", identifier: ["route_id"],
        [
            .init(columns.routeID) { $0.routeID },
            .init(columns.shortName) { $0.shortName },
            .init(columns.longName) { $0.longName },
            .init(columns.type) { $0.type },
            .init(columns.color) { $0.color },
        ])
}

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
        parent = try row.objectID(5)
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
        /// The relationship `parent`.
        public var parent: ObjectID<Stop>?

        /// All values.
        public init(
            stopID: String,
            name: String? = nil,
            latitude: Double? = nil,
            longitude: Double? = nil,
            parent: ObjectID<Stop>? = nil
        ) {
            self.stopID = stopID
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
            self.parent = parent
        }

        public var values: [any StoreValue] { [stopID, name, latitude, longitude, parent] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Stop, ObjectID<Stop>>.objectID
        public let stopID = Column<Stop, String>("stop_id")
        public let name = Column<Stop, String?>("name")
        public let latitude = Column<Stop, Double?>("latitude")
        public let longitude = Column<Stop, Double?>("longitude")
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
            .init(columns.parent, references: .init("parent", to: ["Stop"])) { $0.parent },
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
    /// The attribute `service_id`.
    public var serviceID: String?
    /// The attribute `direction`.
    public var direction: Int?
    /// The relationship `route`.
    public var route: ObjectID<Route>?

    public var identifier: String { tripID }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        tripID = try row.value(1)
        headsign = try row.value(2)
        serviceID = try row.value(3)
        direction = try row.value(4)
        route = try row.objectID(5)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Trip
        /// The attribute `trip_id`.
        public var tripID: String
        /// The attribute `headsign`.
        public var headsign: String?
        /// The attribute `service_id`.
        public var serviceID: String?
        /// The attribute `direction`.
        public var direction: Int?
        /// The relationship `route`.
        public var route: ObjectID<Route>?

        /// All values.
        public init(
            tripID: String,
            headsign: String? = nil,
            serviceID: String? = nil,
            direction: Int? = nil,
            route: ObjectID<Route>? = nil
        ) {
            self.tripID = tripID
            self.headsign = headsign
            self.serviceID = serviceID
            self.direction = direction
            self.route = route
        }

        public var values: [any StoreValue] { [tripID, headsign, serviceID, direction, route] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Trip, ObjectID<Trip>>.objectID
        public let tripID = Column<Trip, String>("trip_id")
        public let headsign = Column<Trip, String?>("headsign")
        public let serviceID = Column<Trip, String?>("service_id")
        public let direction = Column<Trip, Int?>("direction")
        public let route = Column<Trip, ObjectID<Route>?>("route")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Trip>(
        table: "Trip", identifier: ["trip_id"],
        [
            .init(columns.tripID) { $0.tripID },
            .init(columns.headsign) { $0.headsign },
            .init(columns.serviceID) { $0.serviceID },
            .init(columns.direction) { $0.direction },
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
    /// The attribute `headsign`.
    public var headsign: String?
    /// The attribute `distance`.
    public var distance: Double?
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
        headsign = try row.value(5)
        distance = try row.value(6)
        trip = try row.objectID(7)
        stop = try row.objectID(8)
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
        /// The attribute `headsign`.
        public var headsign: String?
        /// The attribute `distance`.
        public var distance: Double?
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
            headsign: String? = nil,
            distance: Double? = nil,
            trip: ObjectID<Trip>? = nil,
            stop: ObjectID<Stop>? = nil
        ) {
            self.tripID = tripID
            self.sequence = sequence
            self.arrival = arrival
            self.departure = departure
            self.headsign = headsign
            self.distance = distance
            self.trip = trip
            self.stop = stop
        }

        public var values: [any StoreValue] { [tripID, sequence, arrival, departure, headsign, distance, trip, stop] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<StopTime, ObjectID<StopTime>>.objectID
        public let tripID = Column<StopTime, String>("trip_id")
        public let sequence = Column<StopTime, Int>("sequence")
        public let arrival = Column<StopTime, String?>("arrival")
        public let departure = Column<StopTime, String?>("departure")
        public let headsign = Column<StopTime, String?>("headsign")
        public let distance = Column<StopTime, Double?>("distance")
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
            .init(columns.headsign) { $0.headsign },
            .init(columns.distance) { $0.distance },
            .init(columns.trip, references: .init("trip", to: ["Trip"])) { $0.trip },
            .init(columns.stop, references: .init("stop", to: ["Stop"])) { $0.stop },
        ])
}
