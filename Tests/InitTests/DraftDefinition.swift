import Sluice
import SluiceDefinition
import SluiceInit

extension InitRun.Draft {
    /// The definition that the text is.
    func definition() throws(DefinitionProblems) -> PipelineDefinition {
        try PipelineDefinition.read(Array(text.utf8), file: file, environment: [:], checks: .all)
    }
}
