import SluiceRecords

/// The changes that a store needs before a model's objects fit into it; or why they cannot fit.
package struct SchemaCheck {
    /// The parts that the store has under another name. All other properties describe the store after the renaming.
    package private(set) var renaming: Renaming
    /// What the store lacks.
    package private(set) var missing = MissingParts()
    /// Attributes whose values take another form.
    package private(set) var formChanges: [FormChange] = []
    /// What `sluice_model` holds, and what it must hold.
    package let modelRows: ModelRowChanges
    /// The views that sluice has made, and those that there will be.
    package let views: ViewChanges
    package private(set) var contradictions: [SchemaContradiction]
    package let dialect: any Dialect

    package init(_ catalog: any StoreCatalog, _ model: Model, pipeline: String) throws(Failure) {
        try catalog.checkOwnTables()
        dialect = catalog.dialect
        let schema = Schema(model: model, dialect: catalog.dialect)
        let image = StoreImage(catalog)
        let stored = try catalog.modelRows()
        let planner = try RenamePlanner(image, model, stored, pipeline: pipeline)
        renaming = planner.renaming
        if catalog.dialect.tellsCaseApart {
            try renaming.followCase(model, schema, image, planner.rows.map(\.description))
        }
        contradictions = planner.contradictions
        let described = planner.rows.map(\.description)
        var present: [ModelRow] = []
        for row in planner.rows where try image.has(row.description.table) { present.append(row) }
        let claims = TableClaims(present)
        for (index, whole) in model.entities.enumerated() where !planner.isBroken[index] {
            // Relationships to an entity whose name is in doubt cannot be compared.
            var entity = whole
            entity.relationships.removeAll { $0.targets.contains { planner.isBroken[$0.entity] } }
            var comparison = DescriptionComparison(
                image, model, entity, claims.rows(concerning: entity), pipeline: pipeline)
            try comparison.run()
            var tables = TableComparison(
                index, entity, schema, image, described: described, mostColumns: catalog.mostColumns)
            try tables.run(refused: comparison.refusedParts, conversions: comparison.conversions)
            let forms = try FormSurvey(index, comparison, image, renaming, catalog)
            missing += tables.missing
            formChanges += forms.changes
            contradictions += comparison.contradictions + tables.contradictions + forms.contradictions
        }
        modelRows = try ModelRowChanges(planner.rows, model, pipeline: pipeline, formChanges: formChanges, image)
        views = try ViewChanges(
            before: described, after: modelRows.descriptions,
            past: model.entities.filter { $0.keepsPast ?? model.hasPastViews }.map(\.table), catalog, renaming)
        contradictions += views.contradictions
        contradictions += try LostTables(image, catalog, stored.map(\.description), renaming).contradictions(model)
    }

    /// Adds what only one kind of store looks at.
    package mutating func refuse(_ more: [SchemaContradiction]) { contradictions += more }

    /// The attributes whose tables are written anew, as their values take another form.
    package var convertedAttributes: [(entity: Int, attribute: Int)] {
        formChanges.filter { $0.isRewritten(dialect) }.map { ($0.entity, $0.attribute) }
    }

    /// Whether the store has everything, under its name.
    package var isComplete: Bool { renaming.isEmpty && missing.isEmpty && formChanges.isEmpty }
}
