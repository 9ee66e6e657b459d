// swift-tools-version: 6.2
import PackageDescription

// A stranger's package: it has targets of its own whose names are such as others would choose, too, and needs nothing
// of Sluice but its product.
let package = Package(
    name: "consumer",
    dependencies: [
        .package(name: "sluice", path: "../.."), .package(name: "timetable-app", path: "../../Samples/timetable-app"),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        .target(name: "Records"),
        .target(name: "Load", dependencies: ["Records", "CSQLite", "CZlib"]),
        .executableTarget(
            name: "Consumer", dependencies: ["Load", .product(name: "Sluice", package: "sluice")]),
        .executableTarget(name: "Cancelling", dependencies: [.product(name: "Sluice", package: "sluice")]),
        // Of the names of this pipeline's entities, others have some, too.
        .target(name: "GTFSTypes", dependencies: [.product(name: "SluiceStore", package: "sluice")]),
        .target(name: "Types", dependencies: [.product(name: "SluiceStore", package: "sluice")]),
        // What documentation shows: see DocumentedExampleTests.
        // The sample application is built with them.
        .executableTarget(
            name: "StoreExamples",
            dependencies: [
                "Types", .product(name: "timetable", package: "timetable-app"),
                .product(name: "SluiceStore", package: "sluice"),
                .product(name: "SluiceServerStore", package: "sluice"),
            ]),
        .executableTarget(name: "Examples", dependencies: [.product(name: "Sluice", package: "sluice")]),
    ]
)
