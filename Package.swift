// swift-tools-version: 6.2
import PackageDescription

// Every target is held to the same strictness: no warning passes, and each unsafe line says that it is one.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// What works longest in tests is optimised in debug builds, too, and keeps its assertions: the tests of modules take a
/// quarter less. `SLUICE_PLAIN=1 swift build` leaves it out for who steps through these modules with a debugger.
let optimised: Set<String> =
    Context.environment["SLUICE_PLAIN"] == nil
    ? ["Records", "Extract", "Transform", "Schema", "Load", "Definition", "TestSupport", "FeedReference"] : []

func settings(_ name: String) -> [SwiftSetting] {
    guard optimised.contains(name) else { return strict }
    return strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
}

// Folders have short names; modules carry the prefix `Sluice`, so that they collide with nobody's: SwiftPM refuses two
// targets of one name anywhere among the packages of a program.
func module(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(
        name: "Sluice\(name)", dependencies: dependencies, path: "Sources/\(name)", exclude: exclude,
        swiftSettings: settings(name))
}

/// A library of the system: a module map and a shim, nothing else.
func system(_ name: String, pkgConfig: String? = nil, package: String? = nil) -> Target {
    .systemLibrary(
        name: "CSluice\(name)", path: "Sources/C\(name)", pkgConfig: pkgConfig,
        providers: package.map { [.apt([$0])] })
}

/// The functions of a library of the system, which is loaded when one is called first: most runs need none of them.
func later(_ name: String) -> Target {
    .target(
        name: "CSluice\(name)Later", dependencies: ["CSluiceLater", .target(name: "CSluice\(name)")],
        path: "Sources/CLater/\(name)", publicHeadersPath: ".",
        cSettings: [.treatAllWarnings(as: .error)])
}

/// What tests of several modules use.
func support(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude,
        swiftSettings: settings(name))
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "sluice",
    products: [
        .library(name: "Sluice", targets: ["Sluice"]),
        .library(name: "SluiceStore", targets: ["SluiceStore"]),
        .library(name: "SluiceServerStore", targets: ["SluiceServerStore"]),
        .library(name: "SluiceDates", targets: ["SluiceDates"]),
        .executable(name: "sluice", targets: ["SluiceCLI"]),
    ],
    targets: [
        system("Yajl", pkgConfig: "yajl", package: "libyajl-dev"),
        system("SQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        system("Zlib", pkgConfig: "zlib", package: "zlib1g-dev"),
        system("Bzip2", package: "libbz2-dev"),
        system("Lzma", pkgConfig: "liblzma", package: "liblzma-dev"),
        system("Zstd", pkgConfig: "libzstd", package: "libzstd-dev"),
        system("PCRE2", pkgConfig: "libpcre2-8", package: "libpcre2-dev"),
        system("Crypto", pkgConfig: "libcrypto", package: "libssl-dev"),
        // Their headers; the libraries are loaded when they are needed.
        system("Archive"),
        system("Curl"),
        system("PostgreSQL"),
        .target(name: "CSluiceLater", path: "Sources/CLater/Loader", cSettings: [.treatAllWarnings(as: .error)]),
        later("Archive"),
        later("Curl"),
        later("PostgreSQL"),
        // Of the C library itself: functions that Swift's own module of it leaves out.
        system("Files"),
        system("Spawn"),
        // Of the compiler of C.
        system("Memory"),

        module("Records", []),
        module("Posix", ["SluiceRecords", "CSluiceSpawn"]),
        module("Known", ["SluiceRecords", "SluicePosix"]),
        module(
            "Extract",
            [
                "SluiceRecords", "SluicePosix", "SluiceKnown", "CSluiceYajl", "CSluiceArchive",
                "CSluiceArchiveLater", "CSluiceBzip2", "CSluiceCrypto", "CSluiceLzma", "CSluiceZlib", "CSluiceZstd",
            ]),
        module(
            "Fetch",
            ["SluiceRecords", "SluicePosix", "SluiceExtract", "CSluiceCrypto", "CSluiceCurl", "CSluiceCurlLater"]),
        module("Transform", ["SluiceRecords", "CSluicePCRE2"]),
        module("Columns", ["SluiceRecords", "SluicePosix", "CSluiceZlib"]),
        module("Plan", ["SluiceRecords", "SluiceColumns"]),
        module("PostgreSQL", ["SluiceRecords", "SluicePosix", "CSluicePostgreSQL", "CSluicePostgreSQLLater"]),
        module("Schema", ["SluiceRecords"]),
        module("Load", ["SluiceRecords", "SluicePosix", "SluiceSchema", "CSluiceMemory"]),
        module(
            "StoreSQLite", ["SluiceRecords", "SluicePosix", "SluiceSchema", "SluiceLoad", "CSluiceSQLite"]),
        module(
            "StorePostgreSQL",
            ["SluiceRecords", "SluicePosix", "SluiceSchema", "SluiceLoad", "SluicePostgreSQL"]),
        // Where both are known.
        module(
            "Stores",
            [
                "SluiceRecords", "SluicePosix", "SluiceSchema", "SluiceLoad", "SluiceStoreSQLite",
                "SluiceStorePostgreSQL", "SluicePostgreSQL", "CSluiceSQLite",
            ]),
        module(
            "Seed",
            [
                "SluiceRecords", "SluicePosix", "SluiceExtract", "SluiceFetch", "SluiceSchema", "SluiceStoreSQLite",
                "CSluiceCrypto", "CSluiceFiles", "CSluiceSQLite", "CSluiceZstd",
            ]),
        module(
            "Store",
            [
                "SluiceRecords", "SluicePosix", "SluiceExtract", "SluiceFetch", "SluiceSchema", "SluiceStoreSQLite",
                "SluiceSeed",
                "CSluiceSQLite",
            ]),
        // The only one that uses Foundation, which programs need not.
        module("Dates", ["SluiceStore"]),
        module(
            "ServerStore",
            [
                "SluiceRecords", "SluicePosix", "SluiceSchema", "SluicePostgreSQL", "SluiceStorePostgreSQL",
                "SluiceStore",
            ]),
        module(
            "Definition",
            [
                "SluiceRecords", "SluicePosix", "SluiceExtract", "SluiceFetch", "SluicePostgreSQL", "SluiceSchema",
                "SluiceStores", "SluiceSeed",
            ],
            exclude: ["Keys/pipeline.schema.template.json"]),
        module(
            "Init", ["SluiceRecords", "SluicePosix", "SluiceExtract", "SluiceFetch", "SluiceDefinition"]),
        module(
            "Report",
            [
                "SluiceRecords", "SluicePosix", "SluiceExtract", "SluiceTransform", "SluiceLoad", "SluiceStores",
                "SluiceDefinition",
            ]),
        .target(
            name: "Sluice",
            dependencies: [
                "SluiceRecords", "SluicePosix", "SluiceKnown", "SluiceExtract", "SluiceFetch",
                "SluiceTransform",
                "SluicePostgreSQL", "SluiceSchema", "SluiceLoad", "SluiceStoreSQLite", "SluiceStorePostgreSQL",
                "SluiceStores", "SluiceSeed", "SluiceStore", "SluiceServerStore", "SluiceColumns", "SluicePlan",
                "SluiceDefinition",
                "SluiceInit", "SluiceReport",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "SluiceCLI", dependencies: ["SluicePosix", "SluiceFetch", "SluiceSeed", "SluiceInit", "Sluice"],
            swiftSettings: strict),

        support(
            "TestSupport", ["SluiceRecords", "SluiceExtract", "SluiceSchema"],
            exclude: ["Server/cut.py", "Server/faulty.py", "Server/issues.py", "Server/oauth.py", "Server/s3.py"]),
        // What the reader is compared with.
        support("FeedReference", ["SluiceRecords", "SluiceExtract"]),
        // Definitions without runs, and the pages about them.
        support("DefinitionSupport", ["SluiceRecords", "SluiceDefinition"]),
        // Findings and reports of no run.
        support("ReportSupport", ["SluiceRecords", "SluiceReport"]),
        // What libFuzzer calls (`make fuzz`); the ordinary tests try its seeds.
        support("Fuzz", ["Sluice", "FeedReference", "CSluiceSQLite"], exclude: ["Corpus", "README.md", "run"]),
        // Stores on a server as SQLite databases, so that the same tests look into both.
        support(
            "StoreMirror",
            [
                "SluiceRecords", "SluiceSchema", "SluiceLoad", "SluiceStoreSQLite", "SluiceStorePostgreSQL",
                "SluiceStores", "SluicePostgreSQL", "TestSupport",
            ]),
        // Random definitions, their feeds and their model; and years of nights of one store.
        support(
            "Nights",
            [
                "Sluice", "SluiceDefinition", "SluiceExtract", "SluiceRecords", "SluiceReport", "SluiceSchema",
                "SluiceStoreSQLite", "TestSupport",
            ], exclude: ["README.md", "run"]),
        .executableTarget(
            name: "NightsCommand", dependencies: ["Nights"], path: "Tests/NightsCommand", swiftSettings: strict),
        // Counts allocations, for the tests that the hot path makes none.
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
        tests("Records", ["SluiceRecords", "TestSupport"]),
        tests("Posix", ["SluicePosix"]),
        tests("Known", ["SluiceKnown", "SluiceRecords", "TestSupport"]),
        tests("Extract", ["SluiceExtract", "SluiceKnown", "FeedReference", "AllocationCounter", "TestSupport"]),
        tests("Fuzz", ["Fuzz"]),
        tests("Fetch", ["SluiceFetch", "TestSupport"]),
        tests("Transform", ["SluiceTransform", "AllocationCounter"]),
        tests("Plan", ["SluicePlan", "SluiceRecords"]),
        tests("PostgreSQL", ["SluicePostgreSQL", "TestSupport"]),
        tests(
            "Load",
            [
                "SluiceSchema", "SluiceLoad", "SluiceStoreSQLite", "SluiceStorePostgreSQL", "SluiceStores",
                "CSluiceSQLite", "StoreMirror", "TestSupport",
            ]),
        tests(
            "Seed", ["SluiceSeed", "SluiceSchema", "SluiceStoreSQLite", "SluiceExtract", "SluicePosix", "TestSupport"]),
        tests(
            "Store", ["Sluice", "SluiceStore", "SluiceServerStore", "SluiceDates", "StoreMirror", "TestSupport"],
            exclude: ["Definitions"]),
        tests("Definition", ["SluiceDefinition", "Sluice", "DefinitionSupport", "TestSupport"]),
        tests("Init", ["SluiceInit", "SluiceDefinition", "Sluice", "StoreMirror", "TestSupport"]),
        tests("Report", ["SluiceReport", "SluiceDefinition", "DefinitionSupport", "ReportSupport", "TestSupport"]),
        tests(
            "Sluice",
            [
                "Sluice", "SluiceReport", "ReportSupport", "SluiceDefinition", "DefinitionSupport", "SluiceSchema",
                "SluiceLoad", "SluiceStoreSQLite",
                "StoreMirror", "TestSupport",
                "FeedReference", "Nights",
            ]),
        tests(
            "EndToEnd", ["CSluiceSQLite", "Sluice", "SluiceExtract", "SluicePostgreSQL", "StoreMirror", "TestSupport"],
            exclude: ["Definitions", "Shims"]),
    ]
)
