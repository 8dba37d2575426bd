//! Definitions that say no more than that there was none.

use otf2::{
    Base, CartPeriodicity, CommFlag, Definition, GroupFlag, GroupType, InterruptGeneratorMode,
    IoHandleFlag, IoParadigmClass, IoParadigmFlag, LocationGroupType, LocationType, MetricMode,
    MetricOccurrence, MetricType, Paradigm, ParameterType, RecorderKind, RegionFlag, RegionRole,
    RmaWinFlag, Type, UNDEFINED,
};

use crate::check::ids::Space;

/// Returns a definition of that number; of an attribute with values of that kind.
pub(super) fn placeholder(space: Space, id: u32, name: u32, kind: Type) -> Definition {
    match space {
        Space::Location => location(id.into(), name, UNDEFINED),
        Space::LocationGroup => process(id, name),
        Space::Attribute => Definition::Attribute {
            id,
            name,
            value_type: kind,
            description: name,
        },
        Space::SystemTreeNode => Definition::SystemTreeNode {
            id,
            name,
            class_name: name,
            parent: UNDEFINED,
        },
        Space::Region => region(id, name),
        Space::Group => Definition::Group {
            id,
            name,
            members: Vec::new(),
            group_type: GroupType::UNKNOWN,
            // So nobody takes it for a group of processes.
            paradigm: Paradigm::NONE,
            group_flags: GroupFlag::NONE,
        },
        Space::Comm => Definition::Comm {
            id,
            name,
            group: UNDEFINED,
            parent: UNDEFINED,
            flags: CommFlag::NONE,
        },
        Space::RmaWin => Definition::RmaWin {
            id,
            name,
            comm: UNDEFINED,
            flags: RmaWinFlag::NONE,
        },
        Space::MetricMember => metric(id, name),
        Space::Metric => Definition::MetricClass {
            id,
            metric_members: Vec::new(),
            metric_occurrence: MetricOccurrence::ASYNCHRONOUS,
            recorder_kind: RecorderKind::UNKNOWN,
        },
        Space::Parameter => Definition::Parameter {
            id,
            name,
            parameter_type: ParameterType::STRING,
        },
        Space::CartDimension => Definition::CartDimension {
            id,
            name,
            size: 0,
            cart_periodicity: CartPeriodicity::FALSE,
        },
        Space::CartTopology => Definition::CartTopology {
            id,
            name,
            communicator: UNDEFINED,
            cart_dimensions: Vec::new(),
        },
        Space::InterruptGenerator => Definition::InterruptGenerator {
            id,
            name,
            interrupt_generator_mode: InterruptGeneratorMode::COUNT,
            base: Base::DECIMAL,
            exponent: 0,
            period: 0,
        },
        Space::String => Definition::String {
            id,
            string: String::new(),
        },
        Space::Callsite | Space::Callpath | Space::SourceCodeLocation | Space::CallingContext => {
            place(space, id, name)
        }
        Space::IoParadigm | Space::IoFile | Space::IoHandle => file(space, id, name),
    }
}

/// A location of a process.
pub(super) fn location(id: u64, name: u32, location_group: u32) -> Definition {
    Definition::Location {
        id,
        name,
        location_type: LocationType::UNKNOWN,
        number_of_events: 0,
        location_group,
    }
}

/// Whatever has locations.
pub(super) fn process(id: u32, name: u32) -> Definition {
    Definition::LocationGroup {
        id,
        name,
        location_group_type: LocationGroupType::UNKNOWN,
        system_tree_parent: UNDEFINED,
        creating_location_group: UNDEFINED,
    }
}

fn region(id: u32, name: u32) -> Definition {
    Definition::Region {
        id,
        name,
        description: name,
        source_file: UNDEFINED,
        begin_line_number: 0,
        end_line_number: 0,
        canonical_name: name,
        region_role: RegionRole::UNKNOWN,
        paradigm: Paradigm::UNKNOWN,
        region_flags: RegionFlag::NONE,
    }
}

fn metric(id: u32, name: u32) -> Definition {
    Definition::MetricMember {
        id,
        name,
        description: name,
        metric_type: MetricType::OTHER,
        metric_mode: MetricMode::ABSOLUTE_POINT,
        value_type: Type::UINT64,
        base: Base::DECIMAL,
        exponent: 0,
        unit: name,
    }
}

/// Places of the program: only some of them have names.
fn place(space: Space, id: u32, name: u32) -> Definition {
    match space {
        Space::Callsite => Definition::Callsite {
            id,
            source_file: name,
            line_number: 0,
            entered_region: UNDEFINED,
            left_region: UNDEFINED,
        },
        Space::Callpath => Definition::Callpath {
            id,
            parent: UNDEFINED,
            region: UNDEFINED,
        },
        Space::CallingContext => Definition::CallingContext {
            id,
            region: UNDEFINED,
            source_code_location: UNDEFINED,
            parent: UNDEFINED,
        },
        _ => Definition::SourceCodeLocation {
            id,
            file: name,
            line_number: 0,
        },
    }
}

fn file(space: Space, id: u32, name: u32) -> Definition {
    match space {
        Space::IoParadigm => Definition::IoParadigm {
            id: id as u8,
            identification: name,
            name,
            io_paradigm_class: IoParadigmClass::SERIAL,
            io_paradigm_flags: IoParadigmFlag::NONE,
            properties: Vec::new(),
        },
        Space::IoFile => Definition::IoRegularFile {
            id,
            name,
            scope: UNDEFINED,
        },
        _ => Definition::IoHandle {
            id,
            name,
            file: UNDEFINED,
            io_paradigm: u8::MAX,
            io_handle_flags: IoHandleFlag::NONE,
            comm: UNDEFINED,
            parent: UNDEFINED,
        },
    }
}
