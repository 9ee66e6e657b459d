import Testing

/// What befalls runs on DuckDB.
@Suite struct PlanFaultTests {
    @Test("The runner is killed before the version has its name, before it counts", arguments: ["v000002", "CURRENT"])
    func killed(before name: String) throws { try PlanFaults(PlanRunner.duckdb).killed(before: name) }

    @Test("The runner is killed while records are extracted")
    func killedWhileExtracting() throws {
        let faults = try PlanFaults(PlanRunner.duckdb)
        #expect(try faults.runner.run(faults.definition, faults.wrapper("kill -9 $PPID")).status == 9)
        faults.expectOld()
        try faults.expectNext()
    }

    @Test("Another run begins meanwhile")
    func beside() throws { try PlanFaults(PlanRunner.duckdb).beside() }

    @Test(
        "The disk is full", .enabled(if: SmallDisk.isPermitted, "no file system may be mounted here"),
        arguments: [false, true])
    func full(worksElsewhere: Bool) throws {
        let faults = try PlanFaults(PlanRunner.duckdb, disk: 512)
        try faults.full(worksElsewhere ? ["--work", faults.scratch.file("work")] : [])
        #expect(!worksElsewhere || faults.scratch.names.contains("work"))
    }
}
