import Foundation
import Testing

/// `make lint` wants a reason why what the compiler does not check may cross threads.
@Suite struct ThreadLintTests {
    private let folder = TemporaryFolder()

    private func lint(_ source: String) throws -> Int32 {
        _ = try folder.write("Sources/Module/File.swift", source)
        return try Shell.run([Sluice.path(".ci/lint-threads"), folder.path])
    }

    @Test(arguments: [
        "/// Its state is guarded by `monitor`.\nfinal class A: @unchecked Sendable {}",
        "/// One thread at a time has it.\n@safe\nstruct A: @unchecked Sendable {}",
        "/// Nothing in it changes.\nnonisolated(unsafe) let a = pointer", "final class A: Sendable {}",
    ])
    func whatHasAReason(source: String) throws { #expect(try lint(source) == 0) }

    @Test(arguments: [
        "final class A: @unchecked Sendable {}", "/// What a run knows.\nfinal class A: @unchecked Sendable {}",
        "/// Its state is guarded by `monitor`.\n\nlet b = 1\nfinal class A: @unchecked Sendable {}",
        "/// A key.\nprivate nonisolated(unsafe) let key: OpaquePointer",
    ])
    func whatHasNone(source: String) throws { #expect(try lint(source) == 1) }
}
