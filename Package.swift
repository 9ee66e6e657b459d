// swift-tools-version: 6.2
import PackageDescription

// Every target is held to the same strictness: no warning passes, and each unsafe line says that it is one.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "sluice",
    products: [
        .library(name: "Sluice", targets: ["Sluice"]),
        .executable(name: "sluice", targets: ["SluiceCLI"]),
    ],
    targets: [
        .systemLibrary(name: "CYajl", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBzip2", providers: [.apt(["libbz2-dev"])]),
        .systemLibrary(name: "CLzma", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // Of the C library itself: one function that Swift's own module of it leaves out.
        .systemLibrary(name: "CSpawn"),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

        .target(name: "Records", swiftSettings: strict),
        .target(name: "Posix", dependencies: ["Records"], swiftSettings: strict),
        .target(
            name: "Extract",
            dependencies: ["Records", "Posix", "CYajl", "CArchive", "CBzip2", "CCrypto", "CLzma", "CZlib", "CZstd"],
            swiftSettings: strict),
        .target(
            name: "Fetch", dependencies: ["Records", "Posix", "Extract", "CCrypto", "CCurl"], swiftSettings: strict),
        .target(name: "Transform", dependencies: ["Records", "CPCRE2"], swiftSettings: strict),
        .target(name: "Load", dependencies: ["Records", "Posix", "CSQLite"], swiftSettings: strict),
        .target(
            name: "Sluice", dependencies: ["CSpawn", "Records", "Posix", "Extract", "Fetch", "Transform", "Load"],
            swiftSettings: strict),
        .executableTarget(name: "SluiceCLI", dependencies: ["Posix", "Sluice"], swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["Records", "Extract"], path: "Tests/TestSupport",
            exclude: ["Server/faulty.py"],
            swiftSettings: strict),
        // What the reader is compared with.
        .target(
            name: "FeedReference", dependencies: ["Records", "Extract"], path: "Tests/FeedReference",
            swiftSettings: strict),
        // What libFuzzer calls (`make fuzz`); the ordinary tests try its seeds.
        .target(
            name: "Fuzz", dependencies: ["Sluice", "FeedReference", "CSQLite"], path: "Tests/Fuzz",
            exclude: ["Corpus", "README.md", "run"], swiftSettings: strict),
        // Counts allocations, for the tests that the hot path makes none.
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
        .testTarget(name: "RecordsTests", dependencies: ["Records"], swiftSettings: strict),
        .testTarget(name: "PosixTests", dependencies: ["Posix"], swiftSettings: strict),
        .testTarget(
            name: "ExtractTests", dependencies: ["Extract", "FeedReference", "AllocationCounter"],
            swiftSettings: strict),
        .testTarget(name: "FuzzTests", dependencies: ["Fuzz"], swiftSettings: strict),
        .testTarget(name: "FetchTests", dependencies: ["Fetch", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "TransformTests", dependencies: ["Transform", "AllocationCounter"], swiftSettings: strict),
        .testTarget(name: "LoadTests", dependencies: ["Load", "CSQLite", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SluiceTests", dependencies: ["Sluice", "Load", "TestSupport", "FeedReference"],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests", dependencies: ["CSQLite", "Extract", "TestSupport"],
            exclude: ["Definitions", "Shims"],
            swiftSettings: strict),
    ]
)
