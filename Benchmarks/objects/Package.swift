// swift-tools-version: 6.2
import PackageDescription

// What programs do with a store by SluiceStore: the workload p.
let package = Package(
    name: "objects",
    dependencies: [.package(name: "sluice", path: "../..")],
    targets: [
        .executableTarget(name: "Objects", dependencies: [.product(name: "SluiceStore", package: "sluice")])
    ]
)
