import SluiceRecords

// What the states of an automaton are made of.
extension Automaton {
    /// What a node is, apart from what is looked for in other nodes: it has a row for each of these, the ancestors'
    /// first; and the state in which the slots of all of them begin.
    struct Template {
        var members: Members
        var state: Int32

        var ancestors: [Role] { members.ancestors }
        var entities: [Int] { members.entities }
    }

    struct Members: Hashable {
        var ancestors: [Role]
        /// The entities that share the node as their record.
        var entities: [Int]
    }

    /// A path of records: the entity, and its number among those of the entity.
    struct RecordPath: Hashable {
        var entity: Int
        var number: Int
    }

    /// That a node is one of the ancestors, to which so many steps of the slots' paths have led.
    struct Role: Hashable {
        var ancestor: Int
        var taken: Int
    }

    /// What the walker reads for each token. It copies them: they are replaced only by `next`.
    struct Tables {
        var infos = Table<StateInfo>()
        var actions = Table<Action>()
        /// By the state's row and symbol; negative: not yet computed. States share a row until a member is looked for.
        var transitions: Table<Int32>
        var templates = Table<TemplateInfo>()
        /// Of the templates: their ancestors and their entities.
        var templateMembers = Table<Int32>()
        var rowCount = 0
        var actionCount = 0
        var memberCount = 0

        mutating func deallocate() {
            infos.deallocate()
            actions.deallocate()
            transitions.deallocate()
            templates.deallocate()
            templateMembers.deallocate()
        }
    }
}
