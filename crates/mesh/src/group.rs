use std::collections::HashMap;

use serde::Serialize;

/// A named set of elements, such as "antenna" or "outer boundary". Problem files assign materials to groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Name of the group in problem files.
    pub name: String,
    /// Tag of the group in the mesh file, or 0 if it has none.
    pub tag: i64,
}

impl Group {
    /// Creates a group without a tag.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            tag: 0,
        }
    }
}

/// Groups in order of first use, indexed by the tags of a file.
#[derive(Default)]
pub(crate) struct GroupsByTag {
    pub(crate) groups: Vec<Group>,
    index_of: HashMap<i64, u32>,
}

impl GroupsByTag {
    pub(crate) fn index(&mut self, tag: i64, name: impl FnOnce() -> String) -> u32 {
        *self.index_of.entry(tag).or_insert_with(|| {
            self.groups.push(Group { name: name(), tag });
            (self.groups.len() - 1) as u32
        })
    }
}
