//! Which numbers a definition holds: its own, and those of others that it refers to. What is
//! undefined by intent is passed over.

use otf2::{Definition, GroupType, MappingType, MetricScope, Value, UNDEFINED};

/// What is numbered for itself: classes and instances of metrics share their numbers, and so do
/// communicators of either form, files and directories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Strings.
    String,
    /// Attributes of events.
    Attribute,
    /// Nodes of the machine's tree.
    SystemTreeNode,
    /// Processes.
    LocationGroup,
    /// Streams of events.
    Location,
    /// Regions of the program.
    Region,
    /// Places of calls.
    Callsite,
    /// Paths of calls.
    Callpath,
    /// Groups.
    Group,
    /// Single metrics.
    MetricMember,
    /// Classes and instances of metrics.
    Metric,
    /// Communicators.
    Comm,
    /// Parameters.
    Parameter,
    /// Windows of memory.
    RmaWin,
    /// Dimensions of grids.
    CartDimension,
    /// Grids.
    CartTopology,
    /// Lines of the source.
    SourceCodeLocation,
    /// Nodes of the calling context tree.
    CallingContext,
    /// Sources of samples.
    InterruptGenerator,
    /// Interfaces to files.
    IoParadigm,
    /// Files.
    IoFile,
    /// Open files.
    IoHandle,
}

impl Space {
    /// Returns what one of them is called.
    pub fn name(self) -> &'static str {
        match self {
            Space::String => "string",
            Space::Attribute => "attribute",
            Space::SystemTreeNode => "system tree node",
            Space::LocationGroup => "location group",
            Space::Location => "location",
            Space::Region => "region",
            Space::Callsite => "call site",
            Space::Callpath => "call path",
            Space::Group => "group",
            Space::MetricMember => "metric member",
            Space::Metric => "metric",
            Space::Comm => "communicator",
            Space::Parameter => "parameter",
            Space::RmaWin => "window",
            Space::CartDimension => "dimension",
            Space::CartTopology => "topology",
            Space::SourceCodeLocation => "source code location",
            Space::CallingContext => "calling context",
            Space::InterruptGenerator => "interrupt generator",
            Space::IoParadigm => "I/O paradigm",
            Space::IoFile => "file",
            Space::IoHandle => "file handle",
        }
    }

    /// Whether numbers of this kind should leave no gaps: locations are numbered as writers like,
    /// and interfaces to files have one byte.
    pub fn is_dense(self) -> bool {
        !matches!(self, Space::Location | Space::IoParadigm)
    }

    /// Returns what a reference of events or of typed values means.
    pub fn of(kind: MappingType) -> Option<Space> {
        Some(match kind {
            MappingType::STRING => Space::String,
            MappingType::ATTRIBUTE => Space::Attribute,
            MappingType::LOCATION => Space::Location,
            MappingType::REGION => Space::Region,
            MappingType::GROUP => Space::Group,
            MappingType::METRIC => Space::Metric,
            MappingType::COMM => Space::Comm,
            MappingType::PARAMETER => Space::Parameter,
            MappingType::RMA_WIN => Space::RmaWin,
            MappingType::SOURCE_CODE_LOCATION => Space::SourceCodeLocation,
            MappingType::CALLING_CONTEXT => Space::CallingContext,
            MappingType::INTERRUPT_GENERATOR => Space::InterruptGenerator,
            MappingType::IO_FILE => Space::IoFile,
            MappingType::IO_HANDLE => Space::IoHandle,
            MappingType::LOCATION_GROUP => Space::LocationGroup,
            _ => return None,
        })
    }

    /// Returns the number that stands for none.
    pub fn undefined(self) -> u64 {
        match self {
            Space::Location => u64::MAX,
            _ => UNDEFINED.into(),
        }
    }
}

/// How a definition holds a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It is the definition's own.
    Own,
    /// It names what should be defined earlier.
    Refers,
    /// It names what may be defined anywhere, as values of properties do.
    Names,
}

/// Says for a number which other one stands in its place.
pub(crate) type Renumber<'a> = dyn FnMut(Use, Space, u64) -> u64 + 'a;

/// Returns a definition's own number; properties have none.
pub fn own(definition: &Definition) -> Option<(Space, u64)> {
    let mut found = None;
    look(definition, &mut |how, space, id| {
        if how == Use::Own {
            found = Some((space, id));
        }
    });
    found
}

/// Visits a definition's numbers.
pub fn look(definition: &Definition, visit: &mut dyn FnMut(Use, Space, u64)) {
    // Most definitions are strings, and need not be copied.
    if let Definition::String { id, .. } = definition {
        return visit(Use::Own, Space::String, (*id).into());
    }
    renumber(&mut definition.clone(), &mut |how, space, id| {
        visit(how, space, id);
        id
    });
}

/// Has a definition's numbers replaced.
pub(crate) fn renumber(definition: &mut Definition, ids: &mut Renumber<'_>) {
    Walk { ids }.definition(definition);
}

/// Has the number that a value is, if it is one, replaced.
pub fn renumber_value(value: &mut Value, ids: &mut dyn FnMut(Space, u64) -> u64) {
    value.translate(&mut |kind, id| match Space::of(kind) {
        Some(space) if id != space.undefined() => ids(space, id),
        _ => id,
    });
}

/// Replaces numbers in fields of all widths.
struct Walk<'a, 'b> {
    ids: &'a mut Renumber<'b>,
}

impl Walk<'_, '_> {
    fn id(&mut self, how: Use, space: Space, id: &mut u32) {
        if how == Use::Own || *id != UNDEFINED {
            *id = (self.ids)(how, space, u64::from(*id)) as u32;
        }
    }

    fn own(&mut self, space: Space, id: &mut u32) {
        self.id(Use::Own, space, id);
    }

    fn refer(&mut self, space: Space, id: &mut u32) {
        self.id(Use::Refers, space, id);
    }

    fn strings<const N: usize>(&mut self, ids: [&mut u32; N]) {
        for id in ids {
            self.refer(Space::String, id);
        }
    }

    fn location(&mut self, how: Use, id: &mut u64) {
        if how == Use::Own || *id != u64::MAX {
            *id = (self.ids)(how, Space::Location, *id);
        }
    }

    /// A number of 64 bits that names something of 32.
    fn wide(&mut self, how: Use, space: Space, id: &mut u64) {
        let is_id = *id < u64::from(UNDEFINED);
        if is_id {
            *id = (self.ids)(how, space, *id);
        }
    }

    fn value(&mut self, value: &mut Value) {
        renumber_value(value, &mut |space, id| (self.ids)(Use::Names, space, id));
    }

    fn definition(&mut self, definition: &mut Definition) {
        match definition {
            Definition::ClockProperties { .. } | Definition::Unknown { .. } => {}
            Definition::Paradigm { name, .. } => self.strings([name]),
            Definition::ParadigmProperty { value, .. } => self.value(value),
            Definition::IoParadigm {
                id,
                identification,
                name,
                properties,
                ..
            } => {
                *id = (self.ids)(Use::Own, Space::IoParadigm, (*id).into()) as u8;
                self.strings([identification, name]);
                for (_, value) in properties {
                    self.value(value);
                }
            }
            Definition::String { id, .. } => self.own(Space::String, id),
            Definition::Attribute {
                id,
                name,
                description,
                ..
            } => {
                self.own(Space::Attribute, id);
                self.strings([name, description]);
            }
            Definition::SystemTreeNode {
                id,
                name,
                class_name,
                parent,
            } => {
                self.own(Space::SystemTreeNode, id);
                self.strings([name, class_name]);
                self.refer(Space::SystemTreeNode, parent);
            }
            Definition::SystemTreeNodeProperty {
                system_tree_node,
                name,
                value,
            } => {
                self.refer(Space::SystemTreeNode, system_tree_node);
                self.strings([name]);
                self.value(value);
            }
            Definition::SystemTreeNodeDomain {
                system_tree_node, ..
            } => self.refer(Space::SystemTreeNode, system_tree_node),
            Definition::LocationGroup {
                id,
                name,
                system_tree_parent,
                creating_location_group,
                ..
            } => {
                self.own(Space::LocationGroup, id);
                self.strings([name]);
                self.refer(Space::SystemTreeNode, system_tree_parent);
                self.refer(Space::LocationGroup, creating_location_group);
            }
            Definition::LocationGroupProperty {
                location_group,
                name,
                value,
            } => {
                self.refer(Space::LocationGroup, location_group);
                self.strings([name]);
                self.value(value);
            }
            Definition::Location {
                id,
                name,
                location_group,
                ..
            } => {
                self.location(Use::Own, id);
                self.strings([name]);
                self.refer(Space::LocationGroup, location_group);
            }
            Definition::LocationProperty {
                location,
                name,
                value,
            } => {
                self.location(Use::Refers, location);
                self.strings([name]);
                self.value(value);
            }
            Definition::MetricMember { .. }
            | Definition::MetricClass { .. }
            | Definition::MetricInstance { .. }
            | Definition::MetricClassRecorder { .. } => self.metric(definition),
            Definition::IoFileProperty { .. }
            | Definition::IoRegularFile { .. }
            | Definition::IoDirectory { .. }
            | Definition::IoHandle { .. }
            | Definition::IoPreCreatedHandleState { .. } => self.file(definition),
            Definition::Group { .. }
            | Definition::Comm { .. }
            | Definition::InterComm { .. }
            | Definition::RmaWin { .. }
            | Definition::CartDimension { .. }
            | Definition::CartTopology { .. }
            | Definition::CartCoordinate { .. } => self.communication(definition),
            _ => self.code(definition),
        }
    }

    /// What the program consists of.
    fn code(&mut self, definition: &mut Definition) {
        match definition {
            Definition::Region {
                id,
                name,
                description,
                source_file,
                canonical_name,
                ..
            } => {
                self.own(Space::Region, id);
                self.strings([name, description, source_file, canonical_name]);
            }
            Definition::Callsite {
                id,
                source_file,
                entered_region,
                left_region,
                ..
            } => {
                self.own(Space::Callsite, id);
                self.strings([source_file]);
                self.refer(Space::Region, entered_region);
                self.refer(Space::Region, left_region);
            }
            Definition::Callpath { id, parent, region } => {
                self.own(Space::Callpath, id);
                self.refer(Space::Callpath, parent);
                self.refer(Space::Region, region);
            }
            Definition::CallpathParameter {
                callpath,
                parameter,
                value,
            } => {
                self.refer(Space::Callpath, callpath);
                self.refer(Space::Parameter, parameter);
                self.value(value);
            }
            Definition::Parameter { id, name, .. } => {
                self.own(Space::Parameter, id);
                self.strings([name]);
            }
            Definition::SourceCodeLocation { id, file, .. } => {
                self.own(Space::SourceCodeLocation, id);
                self.strings([file]);
            }
            Definition::CallingContext {
                id,
                region,
                source_code_location,
                parent,
            } => {
                self.own(Space::CallingContext, id);
                self.refer(Space::Region, region);
                self.refer(Space::SourceCodeLocation, source_code_location);
                self.refer(Space::CallingContext, parent);
            }
            Definition::CallingContextProperty {
                calling_context,
                name,
                value,
            } => {
                self.refer(Space::CallingContext, calling_context);
                self.strings([name]);
                self.value(value);
            }
            Definition::InterruptGenerator { id, name, .. } => {
                self.own(Space::InterruptGenerator, id);
                self.strings([name]);
            }
            _ => {}
        }
    }

    /// What messages go through.
    fn communication(&mut self, definition: &mut Definition) {
        match definition {
            Definition::Group {
                id,
                name,
                members,
                group_type,
                ..
            } => {
                self.own(Space::Group, id);
                self.strings([name]);
                self.members(*group_type, members);
            }
            Definition::Comm {
                id,
                name,
                group,
                parent,
                ..
            } => {
                self.own(Space::Comm, id);
                self.strings([name]);
                self.refer(Space::Group, group);
                self.refer(Space::Comm, parent);
            }
            Definition::InterComm {
                id,
                name,
                group_a,
                group_b,
                common_communicator,
                ..
            } => {
                self.own(Space::Comm, id);
                self.strings([name]);
                self.refer(Space::Group, group_a);
                self.refer(Space::Group, group_b);
                self.refer(Space::Comm, common_communicator);
            }
            Definition::RmaWin { id, name, comm, .. } => {
                self.own(Space::RmaWin, id);
                self.strings([name]);
                self.refer(Space::Comm, comm);
            }
            Definition::CartDimension { id, name, .. } => {
                self.own(Space::CartDimension, id);
                self.strings([name]);
            }
            Definition::CartTopology {
                id,
                name,
                communicator,
                cart_dimensions,
            } => {
                self.own(Space::CartTopology, id);
                self.strings([name]);
                self.refer(Space::Comm, communicator);
                for dimension in cart_dimensions {
                    self.refer(Space::CartDimension, dimension);
                }
            }
            Definition::CartCoordinate { cart_topology, .. } => {
                self.refer(Space::CartTopology, cart_topology);
            }
            _ => {}
        }
    }

    /// Members of communicators' groups are places in another group, not numbers.
    fn members(&mut self, kind: GroupType, members: &mut [u64]) {
        for member in members {
            match kind {
                GroupType::LOCATIONS | GroupType::COMM_LOCATIONS => {
                    self.location(Use::Refers, member);
                }
                GroupType::REGIONS => self.wide(Use::Refers, Space::Region, member),
                // Instances of metrics may be of groups in turn.
                GroupType::METRIC => self.wide(Use::Names, Space::Metric, member),
                GroupType::COMM_LOCATION_GROUPS => {
                    self.wide(Use::Refers, Space::LocationGroup, member);
                }
                _ => {}
            }
        }
    }

    fn metric(&mut self, definition: &mut Definition) {
        match definition {
            Definition::MetricMember {
                id,
                name,
                description,
                unit,
                ..
            } => {
                self.own(Space::MetricMember, id);
                self.strings([name, description, unit]);
            }
            Definition::MetricClass {
                id, metric_members, ..
            } => {
                self.own(Space::Metric, id);
                for member in metric_members {
                    self.refer(Space::MetricMember, member);
                }
            }
            Definition::MetricInstance {
                id,
                metric_class,
                recorder,
                metric_scope,
                scope,
            } => {
                self.own(Space::Metric, id);
                self.refer(Space::Metric, metric_class);
                self.location(Use::Refers, recorder);
                match *metric_scope {
                    MetricScope::LOCATION => self.location(Use::Refers, scope),
                    MetricScope::LOCATION_GROUP => {
                        self.wide(Use::Refers, Space::LocationGroup, scope);
                    }
                    MetricScope::SYSTEM_TREE_NODE => {
                        self.wide(Use::Refers, Space::SystemTreeNode, scope);
                    }
                    MetricScope::GROUP => self.wide(Use::Refers, Space::Group, scope),
                    _ => {}
                }
            }
            Definition::MetricClassRecorder { metric, recorder } => {
                self.refer(Space::Metric, metric);
                self.location(Use::Refers, recorder);
            }
            _ => {}
        }
    }

    fn file(&mut self, definition: &mut Definition) {
        match definition {
            Definition::IoFileProperty {
                io_file,
                name,
                value,
            } => {
                self.refer(Space::IoFile, io_file);
                self.strings([name]);
                self.value(value);
            }
            Definition::IoRegularFile { id, name, scope }
            | Definition::IoDirectory { id, name, scope } => {
                self.own(Space::IoFile, id);
                self.strings([name]);
                self.refer(Space::SystemTreeNode, scope);
            }
            Definition::IoHandle {
                id,
                name,
                file,
                io_paradigm,
                comm,
                parent,
                ..
            } => {
                self.own(Space::IoHandle, id);
                self.strings([name]);
                self.refer(Space::IoFile, file);
                if *io_paradigm != u8::MAX {
                    let id = (*io_paradigm).into();
                    *io_paradigm = (self.ids)(Use::Refers, Space::IoParadigm, id) as u8;
                }
                self.refer(Space::Comm, comm);
                self.refer(Space::IoHandle, parent);
            }
            Definition::IoPreCreatedHandleState { io_handle, .. } => {
                self.refer(Space::IoHandle, io_handle);
            }
            _ => {}
        }
    }
}
