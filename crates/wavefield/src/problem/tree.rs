//! Problem as a tree of values with source positions, parsed from TOML or given by a program.

use std::ops::Range;

use toml::Value;
use toml::de::{DeTable, DeValue};

/// Value and its byte range in the source; empty without a source.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) span: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Table(Table),
    Array(Vec<Node>),
    String(String),
    /// Digits as written: the integer may exceed 64 bits.
    Integer(String),
    Float(f64),
    Boolean(bool),
    Datetime(String),
}

/// Keys with their values, in the order of the source.
#[derive(Clone, Debug, Default)]
pub(super) struct Table(pub(super) Vec<(Key, Node)>);

/// Key and its byte range in the source.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) span: Range<usize>,
}

impl Table {
    /// Converts parsed TOML.
    pub(super) fn from_toml(table: &DeTable<'_>) -> Table {
        let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let name: &std::borrow::Cow<'_, str> = key.get_ref();
            let key = Key {
                name: name.to_string(),
                span: key.span(),
            };
            (key, Node::from_toml(value))
        };
        Table(table.iter().map(entry).collect())
    }

    /// Converts values that have no source.
    pub(super) fn from_values(table: toml::Table) -> Table {
        let entry = |(name, value)| {
            let span = 0..0;
            (Key { name, span }, Node::from_value(value))
        };
        Table(table.into_iter().map(entry).collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        let found = self.0.iter().find(|(key, _)| key.name == name);
        found.map(|(_, value)| value)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        let found = self.0.iter_mut().find(|(key, _)| key.name == name);
        found.map(|(_, value)| value)
    }

    /// Sets the value of a key, which is added if it is missing.
    pub(super) fn set(&mut self, name: &str, value: Node) {
        match self.get_mut(name) {
            Some(place) => *place = value,
            None => {
                let span = value.span.clone();
                let name = name.to_owned();
                self.0.push((Key { name, span }, value));
            }
        }
    }

    /// Removes a key and returns it with its value.
    pub(super) fn remove(&mut self, name: &str) -> Option<(Key, Node)> {
        let place = self.0.iter().position(|(key, _)| key.name == name)?;
        Some(self.0.remove(place))
    }

    /// Merges another table into this one; nested tables are merged.
    pub(super) fn merge(&mut self, other: &Table) {
        for (key, value) in &other.0 {
            match (self.get_mut(&key.name), &value.kind) {
                (
                    Some(Node {
                        kind: Kind::Table(own),
                        ..
                    }),
                    Kind::Table(more),
                ) => own.merge(more),
                _ => self.set(&key.name, value.clone()),
            }
        }
    }

    /// Removes the entry at a path.
    pub(super) fn remove_at(&mut self, path: &[Step]) {
        let [Step::Key(name), rest @ ..] = path else {
            return;
        };
        if rest.is_empty() {
            self.remove(name);
        } else if let Some(node) = self.get_mut(name) {
            node.remove_at(rest);
        }
    }

    /// Returns the source position of a path such as `bodies.0.material`, or of the part of it that exists.
    pub(super) fn locate(&self, path: &str) -> Range<usize> {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        match self.get(first) {
            Some(node) => node.locate(rest),
            None => 0..0,
        }
    }

    /// Returns the values without their positions.
    ///
    /// # Errors
    /// An integer exceeds 64 bits, or a date is invalid.
    pub(super) fn to_values(&self) -> Result<toml::Table, String> {
        let entry = |(key, value): &(Key, Node)| Ok((key.name.clone(), value.to_value()?));
        self.0.iter().map(entry).collect()
    }
}

/// Step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Key of a table.
    Key(String),
    /// Index of an array.
    Index(usize),
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Step::Key(name) => f.write_str(name),
            Step::Index(index) => index.fmt(f),
        }
    }
}

impl Node {
    fn remove_at(&mut self, path: &[Step]) {
        match (&mut self.kind, path) {
            (Kind::Table(table), _) => table.remove_at(path),
            (Kind::Array(items), [Step::Index(index), rest @ ..]) => {
                if let Some(item) = items.get_mut(*index) {
                    item.remove_at(rest);
                }
            }
            _ => {}
        }
    }

    fn locate(&self, path: &str) -> Range<usize> {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let inner = match &self.kind {
            Kind::Table(table) => table.get(first),
            Kind::Array(items) => first.parse().ok().and_then(|n: usize| items.get(n)),
            _ => None,
        };
        inner.map_or_else(|| self.span.clone(), |node| node.locate(rest))
    }

    fn from_toml(value: &toml::Spanned<DeValue<'_>>) -> Node {
        let kind = match value.get_ref() {
            DeValue::String(text) => Kind::String(text.to_string()),
            DeValue::Integer(number) => Kind::Integer(integer(number.as_str(), number.radix())),
            DeValue::Float(number) => {
                Kind::Float(number.as_str().replace('_', "").parse().unwrap_or(f64::NAN))
            }
            DeValue::Boolean(flag) => Kind::Boolean(*flag),
            DeValue::Datetime(date) => Kind::Datetime(date.to_string()),
            DeValue::Array(items) => Kind::Array(items.iter().map(Node::from_toml).collect()),
            DeValue::Table(table) => Kind::Table(Table::from_toml(table)),
        };
        Node {
            span: value.span(),
            kind,
        }
    }

    /// Converts a value that has no source.
    pub(super) fn from_value(value: Value) -> Node {
        let kind = match value {
            Value::String(text) => Kind::String(text),
            Value::Integer(number) => Kind::Integer(number.to_string()),
            Value::Float(number) => Kind::Float(number),
            Value::Boolean(flag) => Kind::Boolean(flag),
            Value::Datetime(date) => Kind::Datetime(date.to_string()),
            Value::Array(items) => Kind::Array(items.into_iter().map(Node::from_value).collect()),
            Value::Table(table) => Kind::Table(Table::from_values(table)),
        };
        Node { span: 0..0, kind }
    }

    /// Returns the value without its position.
    ///
    /// # Errors
    /// An integer exceeds 64 bits, or a date is invalid.
    pub(super) fn to_value(&self) -> Result<Value, String> {
        Ok(match &self.kind {
            Kind::String(text) => Value::String(text.clone()),
            Kind::Integer(text) => {
                let number = text.parse();
                Value::Integer(number.map_err(|_| format!("{text} is not a 64-bit integer"))?)
            }
            Kind::Float(number) => Value::Float(*number),
            Kind::Boolean(flag) => Value::Boolean(*flag),
            Kind::Datetime(text) => {
                let date = text.parse();
                Value::Datetime(date.map_err(|_| format!("{text} is not a valid date"))?)
            }
            Kind::Array(items) => {
                Value::Array(items.iter().map(Node::to_value).collect::<Result<_, _>>()?)
            }
            Kind::Table(table) => Value::Table(table.to_values()?),
        })
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_table(&self) -> Option<&Table> {
        match &self.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Returns the name of its type.
    pub(super) fn type_name(&self) -> &'static str {
        match &self.kind {
            Kind::Table(_) => "table",
            Kind::Array(_) => "array",
            Kind::String(_) => "string",
            Kind::Integer(_) => "integer",
            Kind::Float(_) => "float",
            Kind::Boolean(_) => "boolean",
            Kind::Datetime(_) => "datetime",
        }
    }
}

/// Returns an integer in decimal digits, whatever its radix in the source.
fn integer(text: &str, radix: u32) -> String {
    let digits = text.replace('_', "");
    match radix {
        10 => digits,
        _ => i64::from_str_radix(&digits, radix).map_or(digits, |number| number.to_string()),
    }
}
