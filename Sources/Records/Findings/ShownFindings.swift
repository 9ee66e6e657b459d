/// How many findings a report shows. What a plan reports is the same, so both take the numbers from here.
package enum ShownFindings {
    /// Examples of each kind.
    package static let examples = 20
    /// Targets that most references lack, of each relationship.
    package static let missingTargets = 5
}
