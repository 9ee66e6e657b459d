import SluiceColumns
import Testing

@testable import SluicePlan

/// Queries as engines get them.
@Suite struct PrintingTests {
    private let trips = Row(
        .table("trips", [PlanColumn(.objectID, .integer), PlanColumn(.order, .integer), PlanColumn(.path, .text)]))
    private let stops = Row(
        .table(
            "stops",
            [PlanColumn(.objectID, .integer), PlanColumn(.names, .list(.text)), PlanColumn(.kinds, .list(.date))]))

    private func sql(_ relation: Relation, _ dialect: SQLDialect = .duckdb) -> String {
        var printer = SQLPrinter(dialect)
        return printer.query(relation)
    }

    @Test(
        "Any name of a user is a name, and nothing else",
        arguments: [
            ("a", "\"a\"", "`a`"), ("a\"b", "\"a\"\"b\"", "`a\"b`"), ("a`b", "\"a`b\"", "`a``b`"),
            ("order", "\"order\"", "`order`"), ("\\", "\"\\\"", "`\\`"), ("'; --", "\"'; --\"", "`'; --`"),
        ])
    func names(name: String, duckdb: String, spark: String) {
        let row = Row(.table(name, [PlanColumn(.given(name), .text)]))
        let query = Rows(row).select([row[.given(name)].named(.given(name))])
        #expect(sql(query) == "SELECT \"t1\".\(duckdb) AS \(duckdb) FROM \(duckdb) \"t1\"")
        #expect(sql(query, .spark) == "SELECT `t1`.\(spark) AS \(spark) FROM \(spark) `t1`")
    }

    @Test("Two spellings of one letter are two columns, and so are a user's name and ours")
    func spellings() {
        #expect(PlanColumnName.given("\u{e9}") != .given("e\u{301}"))
        #expect(PlanColumnName.given("order") != .order)
        #expect(PlanColumnName.given("order") == .given("order"))
    }

    @Test("Our names and those of users are not together in one relation")
    func kinds() async {
        await #expect(processExitsWith: .failure) {
            let row = Row(.table("t", [PlanColumn(.order, .integer)]))
            _ = Rows(row).select([row[.order].named(.order), row[.order].named(.given("order"))])
        }
    }

    @Test("A plan that mixes types up, or reads what is not there, is a defect")
    func types() async {
        await #expect(processExitsWith: .failure) { _ = PlanExpression.text("1") == .integer(1) }
        await #expect(processExitsWith: .failure) {
            _ = Row(.table("t", [PlanColumn(.order, .integer)]))[.path]
        }
        await #expect(processExitsWith: .failure) {
            _ = Relation.union([.empty([PlanColumn(.order, .integer)]), .empty([PlanColumn(.order, .text)])])
        }
    }

    @Test("Texts, whatever is in them")
    func texts() {
        var (duckdb, spark) = (SQLPrinter(.duckdb), SQLPrinter(.spark))
        #expect(duckdb.text(.text("it's \\")) == "'it''s \\'")
        #expect(spark.text(.text("it's \\")) == "'it\\'s \\\\'")
    }

    @Test("Joins, with all that they read")
    func joins() {
        let (trip, stop) = (trips, stops)
        let query = Rows(trip).leftJoin(stop, on: stop[.objectID] == trip[.order])
            .filter(trip[.path].isNotNull, nil, !stop[.objectID].isNull)
            .distinct(trip.columns + [PlanExpression.integer(1).named(.kind)])
        var printer = SQLPrinter(.duckdb)
        #expect(
            printer.query(query) == """
                SELECT DISTINCT "t1".*, CAST(1 AS BIGINT) AS "kind" FROM "trips" "t1" \
                LEFT JOIN "stops" "t2" ON ("t2"."objectID" = "t1"."order") \
                WHERE (("t1"."path" IS NOT NULL) AND (NOT ("t2"."objectID" IS NULL)))
                """)
        #expect(printer.tables == ["trips", "stops"])
    }

    @Test("A table that is read twice is two rows")
    func twice() {
        let (trip, other) = (trips, Row(trips.relation))
        let later = Rows(other).filter(other[.order] > trip[.order])
        #expect(
            sql(Rows(trip).filter(later.areMissing).select(trip.columns([.order]))) == """
                SELECT "t1"."order" AS "order" FROM "trips" "t1" \
                WHERE (NOT EXISTS (SELECT 1 FROM "trips" "t2" WHERE ("t2"."order" > "t1"."order")))
                """)
    }

    @Test("Windows, and the last value before a row")
    func windows() {
        let trip = trips
        let window = PlanWindow(partition: [trip[.path]], order: [trip[.order]])
        let query = Rows(trip).select([
            PlanExpression.rowNumber(window).named(.rank), trip[.path].lastBefore(in: window).named(.path),
            trip[.order].sum.over(PlanWindow(order: [trip[.order]], isBefore: true)).named(.value),
        ])
        let over = "(PARTITION BY \"t1\".\"path\" ORDER BY \"t1\".\"order\""
        let before = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
        #expect(
            sql(query) == """
                SELECT row_number() OVER \(over)) AS "rank", \
                last_value("t1"."path" IGNORE NULLS) OVER \(over) \(before) AS "path", \
                CAST(sum("t1"."order") OVER (ORDER BY "t1"."order" \(before) AS BIGINT) AS "value" FROM "trips" "t1"
                """)
        #expect(sql(query, .spark).contains("last_value(`t1`.`path`) IGNORE NULLS OVER (PARTITION BY"))
    }

    @Test("Unions, within one another, and groups")
    func unions() {
        let trip = trips
        let orders = Rows(trip).select(trip.columns([.order]))
        let both = Row(.distinctUnion([.union([orders, orders]), orders]))
        let one = "SELECT \"t1\".\"order\" AS \"order\" FROM \"trips\" \"t1\""
        #expect(
            sql(Rows(both).grouped(by: both.columns, having: .count() > .integer(1))) == """
                SELECT "t2"."order" AS "order" FROM (SELECT * FROM (\(one) UNION ALL \(one)) UNION \(one)) "t2" \
                GROUP BY "t2"."order" HAVING (count(*) > 1)
                """)
    }

    @Test("The elements of lists that are side by side")
    func elements() {
        let stop = stops
        let elements = Relation.elements(stop.relation, kept: [.objectID], lists: [.names, .kinds])
        #expect(
            elements.columns == [
                PlanColumn(.objectID, .integer), PlanColumn(.position, .integer), PlanColumn(.names, .text),
                PlanColumn(.kinds, .value(.date)),
            ])
        #expect(
            sql(elements) == """
                SELECT "objectID", unnest(range(len("names"))) AS "position", unnest("names") AS "names", \
                unnest("kinds") AS "kinds" FROM "stops" "all"
                """)
        #expect(
            sql(elements, .spark) == """
                SELECT `objectID`, CAST(`zipped`.`position` AS BIGINT) AS `position`, \
                `zipped`.`element`.`names` AS `names`, `zipped`.`element`.`kinds` AS `kinds` FROM `stops` `all` \
                LATERAL VIEW posexplode(arrays_zip(`names`, `kinds`)) `zipped` AS `position`, `element`
                """)
    }

    @Test("Values in a row, and what is null in both engines")
    func rows() {
        let trip = trips
        let both = Row(Rows(trip).select([PlanExpression.row(trip.columns([.order, .path])).named(.value)]))
        let query = Rows(both).select([
            both[.value][.path].named(.path), PlanExpression.null(.list(.bytes)).named(.names),
        ])
        #expect(sql(query).contains("{'order': \"t1\".\"order\", 'path': \"t1\".\"path\"} AS \"value\""))
        #expect(sql(query).hasPrefix("SELECT \"t2\".\"value\".\"path\" AS \"path\", CAST(NULL AS BLOB[]) AS \"names\""))
        #expect(sql(query, .spark).contains("named_struct('order', `t1`.`order`, 'path', `t1`.`path`) AS `value`"))
        #expect(sql(query, .spark).contains("CAST(NULL AS ARRAY<BINARY>) AS `names`"))
    }
}

extension PlanColumnName {
    fileprivate static let names = own("names")
    fileprivate static let kinds = own("kinds")
}
