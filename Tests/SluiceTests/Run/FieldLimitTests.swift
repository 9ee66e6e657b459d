import DefinitionSupport
import ReportSupport
import SluiceRecords
import Testing

@testable import Sluice

@testable import SluiceDefinition

/// How many fields may be gone, or say something else.
@Suite struct FieldLimitTests {
    /// Of fields, each way to drift has its own limit; without it, only fields that were common may not be gone.
    @Test func fieldsMayDriftSoFar() {
        var drifted = [Fixture.entity("A"), Fixture.entity("B")]
        (drifted[0].drifted.shape, drifted[1].drifted.shape) = (["a"], ["a", "b"])
        drifted[0].drifted.type = ["a", "b", "c", "d"]
        (drifted[0].drifted.missing, drifted[1].drifted.missing) = (["x", "y", "z"], ["u", "v"])
        drifted[1].drifted.expected = ["v"]
        func counts(_ limits: Limits) -> [[String]] {
            limits.exceeded(drifted).map { [$0.limit, $0.entity ?? "", "\($0.allowed)", "\($0.found)"] }
        }
        var limits = Limits()
        let gone = limits.exceeded(drifted)
        #expect(counts(limits) == [["missing", "B", "0", "1"]] && gone[0].fields.map(\.field) == ["v"])
        #expect(gone[0].message.contains("there is 1: v (") && gone[0].allowance == "B.missing=1")
        (limits.shape, limits.type, limits.missing) = (.count(2), .count(4), .count(4))
        #expect(counts(limits) == [["missing", "", "4", "5"], ["shape", "", "2", "3"]])
        (limits.shape, limits.type, limits.missing) = (.count(3), .count(3), .unlimited)
        #expect(counts(limits) == [["type", "", "3", "4"]])
        let types = limits.exceeded(drifted)[0].message
        #expect(types.hasPrefix("the limit of 3 fields of another type is exceeded: there are 4: A.a, A.b, A.c, A.d ("))
        limits.entities["A"] = EntityLimits()
        limits.entities["A"]?.type = .count(5)
        limits.entities["A"]?.shape = .count(0)
        #expect(counts(limits) == [["shape", "A", "0", "1"]])
        let allowed = Allowance(.all(.shape), "1").map { $0.applied(to: limits) }
        #expect(allowed?.exceeded(drifted).map(\.found) == [3])
        #expect(Allowance(.all(.type), "5%") == nil)
    }

    /// What is allowed once counts what the limit counts in whose place it stands.
    @Test(arguments: [
        ("B.missing", "1", nil, 0), ("B.missing", "0", nil, 1), ("missing", "1", nil, 0), ("missing", "1", 0, 1),
        ("B.missing", "1", 3, 1), ("B.missing", "2", 3, 0),
    ])
    func theSameFieldsAreAllowed(_ place: String, _ amount: String, _ limit: Int?, _ exceeded: Int) throws {
        var drifted = [Fixture.entity("A"), Fixture.entity("B")]
        (drifted[1].drifted.missing, drifted[1].drifted.expected) = (["u", "v"], ["v"])
        var limits = Limits()
        if let limit { limits.missing = .count(limit) }
        let allowance = try #require(Allowance.Place(text: place).flatMap { Allowance($0, amount) })
        #expect(allowance.applied(to: limits).exceeded(drifted).count == exceeded)
    }
}
