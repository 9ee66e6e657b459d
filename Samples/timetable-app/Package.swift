// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "timetable-app",
    products: [.executable(name: "timetable", targets: ["Timetable"])],
    dependencies: [.package(name: "sluice", path: "../..")],
    targets: [
        .executableTarget(name: "Timetable", dependencies: [.product(name: "Sluice", package: "sluice")])
    ]
)
