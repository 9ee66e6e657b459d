import DefinitionSupport
import Sluice
import SluiceRecords
import Testing

@testable import SluiceDefinition

extension DefinitionCase {
    static let all =
        pipeline + sources + web + entities + attributes + values + relationships + ways + stubs + likes + names
        + programs
}

struct DefinitionTests {
    @Test(arguments: DefinitionCase.all)
    func finds(_ example: DefinitionCase) {
        let found: [String]
        do throws(DefinitionProblems) {
            _ = try PipelineDefinition.understood(example.text)
            found = []
        } catch {
            found = error.failures.map(\.description)
        }
        #expect(found == example.expected)
    }
}
