// The objects of the pipeline gtfs, written by `sluice swift`. Do not edit it: write it anew when the
// definition changes.
// swift-format-ignore-file

import SluiceStore

/// An object of the entity `Agency`, which `id` identifies.
public struct Agency: StoredObject, Hashable, Codable {
    public static let entity = "Agency"
    public let objectID: ObjectID<Agency>
    /// The attribute `id`.
    public var id: String
    /// The attribute `name`.
    public var name: String?
    /// The attribute `url`.
    public var url: String?
    /// The attribute `timeZone`.
    public var timeZone: String?

    public var identifier: String { id }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        name = try row.value(2)
        url = try row.value(3)
        timeZone = try row.value(4)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Agency
        /// The attribute `id`.
        public var id: String
        /// The attribute `name`.
        public var name: String?
        /// The attribute `url`.
        public var url: String?
        /// The attribute `timeZone`.
        public var timeZone: String?

        /// All values.
        public init(
            id: String,
            name: String? = nil,
            url: String? = nil,
            timeZone: String? = nil
        ) {
            self.id = id
            self.name = name
            self.url = url
            self.timeZone = timeZone
        }

        public var values: [any StoreValue] { [id, name, url, timeZone] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Agency, ObjectID<Agency>>.objectID
        public let id = Column<Agency, String>("id")
        public let name = Column<Agency, String?>("name")
        public let url = Column<Agency, String?>("url")
        public let timeZone = Column<Agency, String?>("timeZone")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Agency>(
        table: "Agency", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.name) { $0.name },
            .init(columns.url) { $0.url },
            .init(columns.timeZone) { $0.timeZone },
        ])
}

/// An object of the entity `Stop`, which `id` identifies.
public struct Stop: StoredObject, Hashable, Codable {
    public static let entity = "Stop"
    public let objectID: ObjectID<Stop>
    /// The attribute `id`.
    public var id: String
    /// The attribute `code`.
    public var code: String?
    /// The attribute `name`.
    public var name: String?
    /// The attribute `latitude`.
    public var latitude: Double?
    /// The attribute `longitude`.
    public var longitude: Double?
    /// The attribute `kind`.
    public var kind: String?
    /// The attribute `platform`.
    public var platform: String?
    /// The relationship `parent`.
    public var parent: ObjectID<Stop>?

    public var identifier: String { id }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        code = try row.value(2)
        name = try row.value(3)
        latitude = try row.value(4)
        longitude = try row.value(5)
        kind = try row.value(6)
        platform = try row.value(7)
        parent = try row.objectID(8)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Stop
        /// The attribute `id`.
        public var id: String
        /// The attribute `code`.
        public var code: String?
        /// The attribute `name`.
        public var name: String?
        /// The attribute `latitude`.
        public var latitude: Double?
        /// The attribute `longitude`.
        public var longitude: Double?
        /// The attribute `kind`.
        public var kind: String?
        /// The attribute `platform`.
        public var platform: String?
        /// The relationship `parent`.
        public var parent: ObjectID<Stop>?

        /// All values.
        public init(
            id: String,
            code: String? = nil,
            name: String? = nil,
            latitude: Double? = nil,
            longitude: Double? = nil,
            kind: String? = nil,
            platform: String? = nil,
            parent: ObjectID<Stop>? = nil
        ) {
            self.id = id
            self.code = code
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
            self.kind = kind
            self.platform = platform
            self.parent = parent
        }

        public var values: [any StoreValue] { [id, code, name, latitude, longitude, kind, platform, parent] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Stop, ObjectID<Stop>>.objectID
        public let id = Column<Stop, String>("id")
        public let code = Column<Stop, String?>("code")
        public let name = Column<Stop, String?>("name")
        public let latitude = Column<Stop, Double?>("latitude")
        public let longitude = Column<Stop, Double?>("longitude")
        public let kind = Column<Stop, String?>("kind")
        public let platform = Column<Stop, String?>("platform")
        public let parent = Column<Stop, ObjectID<Stop>?>("parent")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Stop>(
        table: "Stop", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.code) { $0.code },
            .init(columns.name) { $0.name },
            .init(columns.latitude, bounds: ValueBounds(min: -90.0, max: 90.0)) { $0.latitude },
            .init(columns.longitude, bounds: ValueBounds(min: -180.0, max: 180.0)) { $0.longitude },
            .init(columns.kind) { $0.kind },
            .init(columns.platform) { $0.platform },
            .init(columns.parent, references: .init("parent", to: ["Stop"])) { $0.parent },
        ])
}

/// An object of the entity `Route`, which `id` identifies.
public struct Route: StoredObject, Hashable, Codable {
    public static let entity = "Route"
    public let objectID: ObjectID<Route>
    /// The attribute `id`.
    public var id: String
    /// The attribute `shortName`.
    public var shortName: String?
    /// The attribute `longName`.
    public var longName: String?
    /// The attribute `type`.
    public var type: Int?
    /// The attribute `colour`.
    public var colour: String?
    /// The relationship `agency`.
    public var agency: ObjectID<Agency>?

    public var identifier: String { id }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        shortName = try row.value(2)
        longName = try row.value(3)
        type = try row.value(4)
        colour = try row.value(5)
        agency = try row.objectID(6)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Route
        /// The attribute `id`.
        public var id: String
        /// The attribute `shortName`.
        public var shortName: String?
        /// The attribute `longName`.
        public var longName: String?
        /// The attribute `type`.
        public var type: Int?
        /// The attribute `colour`.
        public var colour: String?
        /// The relationship `agency`.
        public var agency: ObjectID<Agency>?

        /// All values.
        public init(
            id: String,
            shortName: String? = nil,
            longName: String? = nil,
            type: Int? = nil,
            colour: String? = nil,
            agency: ObjectID<Agency>? = nil
        ) {
            self.id = id
            self.shortName = shortName
            self.longName = longName
            self.type = type
            self.colour = colour
            self.agency = agency
        }

        public var values: [any StoreValue] { [id, shortName, longName, type, colour, agency] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Route, ObjectID<Route>>.objectID
        public let id = Column<Route, String>("id")
        public let shortName = Column<Route, String?>("shortName")
        public let longName = Column<Route, String?>("longName")
        public let type = Column<Route, Int?>("type")
        public let colour = Column<Route, String?>("colour")
        public let agency = Column<Route, ObjectID<Agency>?>("agency")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Route>(
        table: "Route", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.shortName) { $0.shortName },
            .init(columns.longName) { $0.longName },
            .init(columns.type) { $0.type },
            .init(columns.colour) { $0.colour },
            .init(columns.agency, references: .init("agency", to: ["Agency"])) { $0.agency },
        ])
}

/// An object of the entity `Service`, which `id` identifies.
public struct Service: StoredObject, Hashable, Codable {
    public static let entity = "Service"
    public let objectID: ObjectID<Service>
    /// The attribute `id`.
    public var id: String
    /// The attribute `monday`.
    public var monday: Bool?
    /// The attribute `tuesday`.
    public var tuesday: Bool?
    /// The attribute `wednesday`.
    public var wednesday: Bool?
    /// The attribute `thursday`.
    public var thursday: Bool?
    /// The attribute `friday`.
    public var friday: Bool?
    /// The attribute `saturday`.
    public var saturday: Bool?
    /// The attribute `sunday`.
    public var sunday: Bool?
    /// The attribute `from`.
    public var from: CalendarDate?
    /// The attribute `to`.
    public var to: CalendarDate?

    public var identifier: String { id }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        monday = try row.value(2)
        tuesday = try row.value(3)
        wednesday = try row.value(4)
        thursday = try row.value(5)
        friday = try row.value(6)
        saturday = try row.value(7)
        sunday = try row.value(8)
        from = try row.value(9)
        to = try row.value(10)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Service
        /// The attribute `id`.
        public var id: String
        /// The attribute `monday`.
        public var monday: Bool?
        /// The attribute `tuesday`.
        public var tuesday: Bool?
        /// The attribute `wednesday`.
        public var wednesday: Bool?
        /// The attribute `thursday`.
        public var thursday: Bool?
        /// The attribute `friday`.
        public var friday: Bool?
        /// The attribute `saturday`.
        public var saturday: Bool?
        /// The attribute `sunday`.
        public var sunday: Bool?
        /// The attribute `from`.
        public var from: CalendarDate?
        /// The attribute `to`.
        public var to: CalendarDate?

        /// All values.
        public init(
            id: String,
            monday: Bool? = nil,
            tuesday: Bool? = nil,
            wednesday: Bool? = nil,
            thursday: Bool? = nil,
            friday: Bool? = nil,
            saturday: Bool? = nil,
            sunday: Bool? = nil,
            from: CalendarDate? = nil,
            to: CalendarDate? = nil
        ) {
            self.id = id
            self.monday = monday
            self.tuesday = tuesday
            self.wednesday = wednesday
            self.thursday = thursday
            self.friday = friday
            self.saturday = saturday
            self.sunday = sunday
            self.from = from
            self.to = to
        }

        public var values: [any StoreValue] { [id, monday, tuesday, wednesday, thursday, friday, saturday, sunday, from, to] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Service, ObjectID<Service>>.objectID
        public let id = Column<Service, String>("id")
        public let monday = Column<Service, Bool?>("monday")
        public let tuesday = Column<Service, Bool?>("tuesday")
        public let wednesday = Column<Service, Bool?>("wednesday")
        public let thursday = Column<Service, Bool?>("thursday")
        public let friday = Column<Service, Bool?>("friday")
        public let saturday = Column<Service, Bool?>("saturday")
        public let sunday = Column<Service, Bool?>("sunday")
        public let from = Column<Service, CalendarDate?>("from")
        public let to = Column<Service, CalendarDate?>("to")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Service>(
        table: "Service", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.monday) { $0.monday },
            .init(columns.tuesday) { $0.tuesday },
            .init(columns.wednesday) { $0.wednesday },
            .init(columns.thursday) { $0.thursday },
            .init(columns.friday) { $0.friday },
            .init(columns.saturday) { $0.saturday },
            .init(columns.sunday) { $0.sunday },
            .init(columns.from) { $0.from },
            .init(columns.to) { $0.to },
        ])
}

/// An object of the entity `ServiceDate`, which `service_id`, `date` identifies.
public struct ServiceDate: StoredObject, Hashable, Codable {
    public static let entity = "ServiceDate"
    public let objectID: ObjectID<ServiceDate>
    /// The attribute `date`.
    public var date: CalendarDate
    /// The attribute `runs`.
    public var runs: Bool?
    /// The attribute `service_id`.
    public var serviceID: String
    /// The relationship `service`.
    public var service: ObjectID<Service>?

    public var identifier: Identifier { Identifier(serviceID: serviceID, date: date) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.serviceID, identifier.date] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `service_id`.
        public var serviceID: String
        /// The attribute `date`.
        public var date: CalendarDate

        /// All values.
        public init(
            serviceID: String,
            date: CalendarDate
        ) {
            self.serviceID = serviceID
            self.date = date
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        date = try row.value(1)
        runs = try row.value(2)
        serviceID = try row.value(3)
        service = try row.objectID(4)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = ServiceDate
        /// The attribute `date`.
        public var date: CalendarDate
        /// The attribute `runs`.
        public var runs: Bool?
        /// The attribute `service_id`.
        public var serviceID: String
        /// The relationship `service`.
        public var service: ObjectID<Service>?

        /// All values.
        public init(
            date: CalendarDate,
            runs: Bool? = nil,
            serviceID: String,
            service: ObjectID<Service>? = nil
        ) {
            self.date = date
            self.runs = runs
            self.serviceID = serviceID
            self.service = service
        }

        public var values: [any StoreValue] { [date, runs, serviceID, service] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<ServiceDate, ObjectID<ServiceDate>>.objectID
        public let date = Column<ServiceDate, CalendarDate>("date")
        public let runs = Column<ServiceDate, Bool?>("runs")
        public let serviceID = Column<ServiceDate, String>("service_id")
        public let service = Column<ServiceDate, ObjectID<Service>?>("service")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<ServiceDate>(
        table: "ServiceDate", identifier: ["service_id", "date"],
        [
            .init(columns.date) { $0.date },
            .init(columns.runs) { $0.runs },
            .init(columns.serviceID) { $0.serviceID },
            .init(columns.service, references: .init("service", to: ["Service"])) { $0.service },
        ])
}

/// An object of the entity `ShapePoint`, which `shape`, `sequence` identifies.
public struct ShapePoint: StoredObject, Hashable, Codable {
    public static let entity = "ShapePoint"
    public let objectID: ObjectID<ShapePoint>
    /// The attribute `shape`.
    public var shape: String
    /// The attribute `sequence`.
    public var sequence: Int
    /// The attribute `latitude`.
    public var latitude: Double?
    /// The attribute `longitude`.
    public var longitude: Double?
    /// The attribute `distance`.
    public var distance: Double?

    public var identifier: Identifier { Identifier(shape: shape, sequence: sequence) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.shape, identifier.sequence] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `shape`.
        public var shape: String
        /// The attribute `sequence`.
        public var sequence: Int

        /// All values.
        public init(
            shape: String,
            sequence: Int
        ) {
            self.shape = shape
            self.sequence = sequence
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        shape = try row.value(1)
        sequence = try row.value(2)
        latitude = try row.value(3)
        longitude = try row.value(4)
        distance = try row.value(5)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = ShapePoint
        /// The attribute `shape`.
        public var shape: String
        /// The attribute `sequence`.
        public var sequence: Int
        /// The attribute `latitude`.
        public var latitude: Double?
        /// The attribute `longitude`.
        public var longitude: Double?
        /// The attribute `distance`.
        public var distance: Double?

        /// All values.
        public init(
            shape: String,
            sequence: Int,
            latitude: Double? = nil,
            longitude: Double? = nil,
            distance: Double? = nil
        ) {
            self.shape = shape
            self.sequence = sequence
            self.latitude = latitude
            self.longitude = longitude
            self.distance = distance
        }

        public var values: [any StoreValue] { [shape, sequence, latitude, longitude, distance] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<ShapePoint, ObjectID<ShapePoint>>.objectID
        public let shape = Column<ShapePoint, String>("shape")
        public let sequence = Column<ShapePoint, Int>("sequence")
        public let latitude = Column<ShapePoint, Double?>("latitude")
        public let longitude = Column<ShapePoint, Double?>("longitude")
        public let distance = Column<ShapePoint, Double?>("distance")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<ShapePoint>(
        table: "ShapePoint", identifier: ["shape", "sequence"],
        [
            .init(columns.shape) { $0.shape },
            .init(columns.sequence) { $0.sequence },
            .init(columns.latitude) { $0.latitude },
            .init(columns.longitude) { $0.longitude },
            .init(columns.distance) { $0.distance },
        ])
}

/// An object of the entity `Trip`, which `id` identifies.
public struct Trip: StoredObject, Hashable, Codable {
    public static let entity = "Trip"
    public let objectID: ObjectID<Trip>
    /// The attribute `id`.
    public var id: String
    /// The attribute `headsign`.
    public var headsign: String?
    /// The attribute `direction`.
    public var direction: Int?
    /// The attribute `block`.
    public var block: String?
    /// The attribute `shape`.
    public var shape: String?
    /// The relationship `route`.
    public var route: ObjectID<Route>?
    /// The relationship `service`.
    public var service: ObjectID<Service>?

    public var identifier: String { id }
    public static func values(of identifier: String) -> [any StoreValue] { [identifier] }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        id = try row.value(1)
        headsign = try row.value(2)
        direction = try row.value(3)
        block = try row.value(4)
        shape = try row.value(5)
        route = try row.objectID(6)
        service = try row.objectID(7)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Trip
        /// The attribute `id`.
        public var id: String
        /// The attribute `headsign`.
        public var headsign: String?
        /// The attribute `direction`.
        public var direction: Int?
        /// The attribute `block`.
        public var block: String?
        /// The attribute `shape`.
        public var shape: String?
        /// The relationship `route`.
        public var route: ObjectID<Route>?
        /// The relationship `service`.
        public var service: ObjectID<Service>?

        /// All values.
        public init(
            id: String,
            headsign: String? = nil,
            direction: Int? = nil,
            block: String? = nil,
            shape: String? = nil,
            route: ObjectID<Route>? = nil,
            service: ObjectID<Service>? = nil
        ) {
            self.id = id
            self.headsign = headsign
            self.direction = direction
            self.block = block
            self.shape = shape
            self.route = route
            self.service = service
        }

        public var values: [any StoreValue] { [id, headsign, direction, block, shape, route, service] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Trip, ObjectID<Trip>>.objectID
        public let id = Column<Trip, String>("id")
        public let headsign = Column<Trip, String?>("headsign")
        public let direction = Column<Trip, Int?>("direction")
        public let block = Column<Trip, String?>("block")
        public let shape = Column<Trip, String?>("shape")
        public let route = Column<Trip, ObjectID<Route>?>("route")
        public let service = Column<Trip, ObjectID<Service>?>("service")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Trip>(
        table: "Trip", identifier: ["id"],
        [
            .init(columns.id) { $0.id },
            .init(columns.headsign) { $0.headsign },
            .init(columns.direction) { $0.direction },
            .init(columns.block) { $0.block },
            .init(columns.shape) { $0.shape },
            .init(columns.route, references: .init("route", to: ["Route"])) { $0.route },
            .init(columns.service, references: .init("service", to: ["Service"])) { $0.service },
        ])
}

/// An object of the entity `StopTime`, which `trip_id`, `sequence` identifies.
public struct StopTime: StoredObject, Hashable, Codable {
    public static let entity = "StopTime"
    public let objectID: ObjectID<StopTime>
    /// The attribute `sequence`.
    public var sequence: Int
    /// The attribute `arrival`.
    public var arrival: Duration?
    /// The attribute `departure`.
    public var departure: Duration?
    /// The attribute `headsign`.
    public var headsign: String?
    /// The attribute `trip_id`.
    public var tripID: String
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
        sequence = try row.value(1)
        arrival = try row.duration(2, fraction: 0)
        departure = try row.duration(3, fraction: 0)
        headsign = try row.value(4)
        tripID = try row.value(5)
        trip = try row.objectID(6)
        stop = try row.objectID(7)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = StopTime
        /// The attribute `sequence`.
        public var sequence: Int
        /// The attribute `arrival`.
        public var arrival: Duration?
        /// The attribute `departure`.
        public var departure: Duration?
        /// The attribute `headsign`.
        public var headsign: String?
        /// The attribute `trip_id`.
        public var tripID: String
        /// The relationship `trip`.
        public var trip: ObjectID<Trip>?
        /// The relationship `stop`.
        public var stop: ObjectID<Stop>?

        /// All values.
        public init(
            sequence: Int,
            arrival: Duration? = nil,
            departure: Duration? = nil,
            headsign: String? = nil,
            tripID: String,
            trip: ObjectID<Trip>? = nil,
            stop: ObjectID<Stop>? = nil
        ) {
            self.sequence = sequence
            self.arrival = arrival
            self.departure = departure
            self.headsign = headsign
            self.tripID = tripID
            self.trip = trip
            self.stop = stop
        }

        public var values: [any StoreValue] { [sequence, arrival, departure, headsign, tripID, trip, stop] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<StopTime, ObjectID<StopTime>>.objectID
        public let sequence = Column<StopTime, Int>("sequence")
        public let arrival = Column<StopTime, Duration?>("arrival")
        public let departure = Column<StopTime, Duration?>("departure")
        public let headsign = Column<StopTime, String?>("headsign")
        public let tripID = Column<StopTime, String>("trip_id")
        public let trip = Column<StopTime, ObjectID<Trip>?>("trip")
        public let stop = Column<StopTime, ObjectID<Stop>?>("stop")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<StopTime>(
        table: "StopTime", identifier: ["trip_id", "sequence"],
        [
            .init(columns.sequence) { $0.sequence },
            .init(columns.arrival) { $0.arrival },
            .init(columns.departure) { $0.departure },
            .init(columns.headsign) { $0.headsign },
            .init(columns.tripID) { $0.tripID },
            .init(columns.trip, references: .init("trip", to: ["Trip"])) { $0.trip },
            .init(columns.stop, references: .init("stop", to: ["Stop"])) { $0.stop },
        ])
}

/// An object of the entity `Frequency`, which `trip_id`, `from` identifies.
public struct Frequency: StoredObject, Hashable, Codable {
    public static let entity = "Frequency"
    public let objectID: ObjectID<Frequency>
    /// The attribute `from`.
    public var from: Duration
    /// The attribute `to`.
    public var to: Duration?
    /// The attribute `headway`.
    public var headway: Int?
    /// The attribute `trip_id`.
    public var tripID: String
    /// The relationship `trip`.
    public var trip: ObjectID<Trip>?

    public var identifier: Identifier { Identifier(tripID: tripID, from: from) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.tripID, identifier.from] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `trip_id`.
        public var tripID: String
        /// The attribute `from`.
        public var from: Duration

        /// All values.
        public init(
            tripID: String,
            from: Duration
        ) {
            self.tripID = tripID
            self.from = from
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        from = try row.duration(1, fraction: 0)
        to = try row.duration(2, fraction: 0)
        headway = try row.value(3)
        tripID = try row.value(4)
        trip = try row.objectID(5)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Frequency
        /// The attribute `from`.
        public var from: Duration
        /// The attribute `to`.
        public var to: Duration?
        /// The attribute `headway`.
        public var headway: Int?
        /// The attribute `trip_id`.
        public var tripID: String
        /// The relationship `trip`.
        public var trip: ObjectID<Trip>?

        /// All values.
        public init(
            from: Duration,
            to: Duration? = nil,
            headway: Int? = nil,
            tripID: String,
            trip: ObjectID<Trip>? = nil
        ) {
            self.from = from
            self.to = to
            self.headway = headway
            self.tripID = tripID
            self.trip = trip
        }

        public var values: [any StoreValue] { [from, to, headway, tripID, trip] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Frequency, ObjectID<Frequency>>.objectID
        public let from = Column<Frequency, Duration>("from")
        public let to = Column<Frequency, Duration?>("to")
        public let headway = Column<Frequency, Int?>("headway")
        public let tripID = Column<Frequency, String>("trip_id")
        public let trip = Column<Frequency, ObjectID<Trip>?>("trip")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Frequency>(
        table: "Frequency", identifier: ["trip_id", "from"],
        [
            .init(columns.from) { $0.from },
            .init(columns.to) { $0.to },
            .init(columns.headway) { $0.headway },
            .init(columns.tripID) { $0.tripID },
            .init(columns.trip, references: .init("trip", to: ["Trip"])) { $0.trip },
        ])
}

/// An object of the entity `Transfer`, which `from_id`, `to_id` identifies.
public struct Transfer: StoredObject, Hashable, Codable {
    public static let entity = "Transfer"
    public let objectID: ObjectID<Transfer>
    /// The attribute `type`.
    public var type: Int?
    /// The attribute `least`.
    public var least: Int?
    /// The attribute `from_id`.
    public var fromID: String
    /// The attribute `to_id`.
    public var toID: String
    /// The relationship `from`.
    public var from: ObjectID<Stop>?
    /// The relationship `to`.
    public var to: ObjectID<Stop>?

    public var identifier: Identifier { Identifier(fromID: fromID, toID: toID) }
    public static func values(of identifier: Identifier) -> [any StoreValue] { [identifier.fromID, identifier.toID] }

    /// What identifies an object.
    public struct Identifier: Sendable, Hashable, Codable {
        /// The attribute `from_id`.
        public var fromID: String
        /// The attribute `to_id`.
        public var toID: String

        /// All values.
        public init(
            fromID: String,
            toID: String
        ) {
            self.fromID = fromID
            self.toID = toID
        }
    }

    public init(_ row: borrowing StoreRow) throws(StoreError) {
        objectID = try row.objectID(0)
        type = try row.value(1)
        least = try row.value(2)
        fromID = try row.value(3)
        toID = try row.value(4)
        from = try row.objectID(5)
        to = try row.objectID(6)
    }

    /// An object that is not in the store yet.
    public struct New: NewObject, Hashable, Codable {
        public typealias Stored = Transfer
        /// The attribute `type`.
        public var type: Int?
        /// The attribute `least`.
        public var least: Int?
        /// The attribute `from_id`.
        public var fromID: String
        /// The attribute `to_id`.
        public var toID: String
        /// The relationship `from`.
        public var from: ObjectID<Stop>?
        /// The relationship `to`.
        public var to: ObjectID<Stop>?

        /// All values.
        public init(
            type: Int? = nil,
            least: Int? = nil,
            fromID: String,
            toID: String,
            from: ObjectID<Stop>? = nil,
            to: ObjectID<Stop>? = nil
        ) {
            self.type = type
            self.least = least
            self.fromID = fromID
            self.toID = toID
            self.from = from
            self.to = to
        }

        public var values: [any StoreValue] { [type, least, fromID, toID, from, to] }
    }

    /// The columns, for conditions, orders and assignments.
    public struct Columns: Sendable {
        public let objectID = Column<Transfer, ObjectID<Transfer>>.objectID
        public let type = Column<Transfer, Int?>("type")
        public let least = Column<Transfer, Int?>("least")
        public let fromID = Column<Transfer, String>("from_id")
        public let toID = Column<Transfer, String>("to_id")
        public let from = Column<Transfer, ObjectID<Stop>?>("from")
        public let to = Column<Transfer, ObjectID<Stop>?>("to")
    }

    public static let columns = Columns()
    public static let columnList = ColumnList<Transfer>(
        table: "Transfer", identifier: ["from_id", "to_id"],
        [
            .init(columns.type) { $0.type },
            .init(columns.least) { $0.least },
            .init(columns.fromID) { $0.fromID },
            .init(columns.toID) { $0.toID },
            .init(columns.from, references: .init("from", to: ["Stop"])) { $0.from },
            .init(columns.to, references: .init("to", to: ["Stop"])) { $0.to },
        ])
}
