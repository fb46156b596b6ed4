use std::collections::HashMap;

use serde::Serialize;

/// A named set of elements, such as "antenna" or "absorbing boundary"; problem files give materials to groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The name a problem file uses for these elements.
    pub name: String,
    /// The number the mesh file uses for these elements, or 0 if it has none.
    pub tag: i64,
}

impl Group {
    /// A group that has a name but no number in a file.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            tag: 0,
        }
    }
}

/// Groups in order of first use, found again by the number a file gives them.
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
