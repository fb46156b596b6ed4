//! What a run leaves behind, in one form for every solver: arrays, and what to show of them.
//!
//! A solver's typed result is turned into an [`Outcome`] once (see `solver`); result files, the
//! report and Python read only this, so a new solver brings its numbers and no new file format.

pub mod antenna;
pub mod aspects;

use num_complex::Complex64;
use serde::{Deserialize, Serialize};
use wavefield_mesh::TriangleMesh;

/// A named array of any shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Name, unique in the outcome: `rcs/vv`.
    pub name: String,
    /// Length of each axis, the last running fastest.
    pub shape: Vec<usize>,
    /// The numbers.
    pub data: Data,
}

/// Numbers of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Real numbers.
    Real(Vec<f64>),
    /// Complex numbers.
    Complex(Vec<Complex64>),
    /// Indices.
    Index(Vec<u32>),
}

impl Data {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Data::Real(values) => values.len(),
            Data::Complex(values) => values.len(),
            Data::Index(values) => values.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Array {
    /// A one-dimensional real array.
    pub fn real(name: impl Into<String>, data: Vec<f64>) -> Array {
        Array {
            name: name.into(),
            shape: vec![data.len()],
            data: Data::Real(data),
        }
    }

    /// A one-dimensional complex array.
    pub fn complex(name: impl Into<String>, data: Vec<Complex64>) -> Array {
        Array {
            name: name.into(),
            shape: vec![data.len()],
            data: Data::Complex(data),
        }
    }

    /// The same numbers seen with other axes; the product of the lengths must not change.
    pub fn reshaped(mut self, shape: &[usize]) -> Array {
        debug_assert_eq!(
            shape.iter().product::<usize>(),
            self.shape.iter().product::<usize>()
        );
        self.shape = shape.to_vec();
        self
    }

    /// The numbers, if they are real.
    pub fn as_real(&self) -> Option<&[f64]> {
        match &self.data {
            Data::Real(values) => Some(values),
            _ => None,
        }
    }

    /// The numbers, if they are complex.
    pub fn as_complex(&self) -> Option<&[Complex64]> {
        match &self.data {
            Data::Complex(values) => Some(values),
            _ => None,
        }
    }

    /// The numbers, if they are indices.
    pub fn as_index(&self) -> Option<&[u32]> {
        match &self.data {
            Data::Index(values) => Some(values),
            _ => None,
        }
    }
}

/// One-dimensional arrays of equal length that form the columns of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Name of the table and of its CSV file.
    pub name: String,
    /// What the table holds.
    pub caption: String,
    /// Its columns, in order.
    pub columns: Vec<Column>,
    /// Whether it is short enough to be read in the report.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_report: bool,
}

/// A column of a table; its numbers are the array `table/name`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Name of the column.
    pub name: String,
    /// Unit, empty for a pure number.
    pub unit: String,
}

/// A number worth showing at the head of the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyFigure {
    /// What it is.
    pub label: String,
    /// The number as it is shown.
    pub value: String,
    /// Its unit.
    pub unit: String,
}

impl KeyFigure {
    /// A number worth showing.
    pub fn new(label: &str, value: String, unit: &str) -> KeyFigure {
        KeyFigure {
            label: label.to_owned(),
            value,
            unit: unit.to_owned(),
        }
    }
}

/// How a figure is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    /// x to the right, y upwards.
    Cartesian,
    /// The same with y on a logarithmic scale.
    Logarithmic,
    /// Angle around, value outwards; x is an angle in degrees.
    Polar,
    /// A quantity over the plane as colours; the series are outlines over it.
    Map(Map),
    /// Maps of one quantity at moments, played one after the other.
    Film(Film),
    /// Points of the plane in the colour of a quantity; the series are outlines over them.
    Scatter(Scatter),
}

/// A quantity on an even grid of the plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Map {
    /// Name of the real array of shape [rows, columns]: x changes along a row, y from row to row.
    /// Where it is not a number the map stays empty.
    pub array: String,
    /// x of the first and of the last column.
    pub x: (f64, f64),
    /// y of the first and of the last row.
    pub y: (f64, f64),
    /// Whether a unit of x is drawn as long as a unit of y.
    #[serde(default)]
    pub equal_aspect: bool,
    /// What the colours mean.
    pub colours: ColourScale,
    /// Values along which contour lines are drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contours: Vec<f64>,
}

/// A quantity on an even grid of the plane at moments, in the same colours at all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Film {
    /// What all moments have in common; its array has the shape [moments, rows, columns].
    pub map: Map,
    /// When each moment is, as people say it.
    pub moments: Vec<String>,
    /// The moment that is seen first, and alone where nothing moves, as in print.
    pub shown: usize,
}

/// A quantity at points of the plane; a unit of x is drawn as long as a unit of y.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scatter {
    /// Name of the real array of the points' x.
    pub x: String,
    /// Name of the real array of the points' y.
    pub y: String,
    /// Name of the real array of the quantity; where it is not a number no point is drawn.
    pub values: String,
    /// What the colours mean.
    pub colours: ColourScale,
}

/// A scale from a quantity to colours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColourScale {
    /// Name of the quantity.
    pub label: String,
    /// Its unit.
    pub unit: String,
    /// Values of the first and the last colour. By default all values, of decibels the upper 40, of a
    /// cyclic quantity the turn from −180° to 180°.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// Whether the last value is the first again, as of a phase: values outside the range are
    /// turned into it, where those of other quantities take the colour at its end.
    #[serde(default)]
    pub cyclic: bool,
}

/// A figure over arrays of the outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What the figure shows.
    pub title: String,
    /// A sentence under the figure.
    pub caption: String,
    /// How it is drawn.
    pub kind: FigureKind,
    /// Name and unit of the abscissa.
    pub x_label: String,
    /// Unit of the abscissa.
    pub x_unit: String,
    /// Name of the ordinate.
    pub y_label: String,
    /// Unit of the ordinate.
    pub y_unit: String,
    /// The curves.
    pub series: Vec<Series>,
}

/// A curve: two real arrays of equal length, or a part of them. It is broken where a value is not a
/// number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Name of the array of abscissae.
    pub x: String,
    /// Name of the array of ordinates.
    pub y: String,
    /// First element and number of elements, where the curve is a part of the arrays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<(usize, usize)>,
    /// From one element of the part to the next, where the curve lies across a grid.
    #[serde(default = "next", skip_serializing_if = "is_next")]
    pub stride: usize,
    /// Whether this is what the result is compared with: drawn dashed.
    #[serde(default)]
    pub reference: bool,
}

impl Series {
    /// A curve over whole arrays.
    pub fn new(name: &str, x: &str, y: &str) -> Series {
        Series {
            name: name.to_owned(),
            x: x.to_owned(),
            y: y.to_owned(),
            part: None,
            stride: 1,
            reference: false,
        }
    }
}

fn next() -> usize {
    1
}

fn is_next(stride: &usize) -> bool {
    *stride == 1
}

/// The interactive three-dimensional view: patterns, meshes and the incident wave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// What is seen.
    pub caption: String,
    /// Patterns over all directions.
    pub patterns: Vec<PatternView>,
    /// Triangle meshes.
    pub meshes: Vec<MeshView>,
    /// Directions of travel of incident waves, with their polarisation.
    pub arrows: Vec<ArrowView>,
}

/// A pattern: a real array of shape [θ, φ] on an even grid, 0 to 180° and 0 to 360° inclusive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternView {
    /// Name of the choice.
    pub name: String,
    /// Unit of the values.
    pub unit: String,
    /// Name of the array.
    pub array: String,
}

/// A mesh: arrays of points [n, 3] in metres and of triangles [m, 3].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshView {
    /// Name of the mesh.
    pub name: String,
    /// Name of the array of points.
    pub points: String,
    /// Name of the array of triangles.
    pub triangles: String,
    /// A quantity in whose colours it is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantity: Option<SurfaceQuantity>,
}

/// A quantity of every triangle of a mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfaceQuantity {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Name of the real array, one value per triangle; where it is not a number the triangle has no colour.
    pub array: String,
    /// Values of the first and the last colour.
    pub range: (f64, f64),
}

/// An incident wave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArrowView {
    /// Its name.
    pub name: String,
    /// Direction of travel.
    pub direction: [f64; 3],
    /// Direction of the electric field.
    pub polarisation: Option<[f64; 3]>,
}

/// A far field on an even grid of direction cosines, for programs that read GRASP files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldGrid {
    /// Name of the file, without its ending.
    pub name: String,
    /// u of the first and of the last column.
    pub u: (f64, f64),
    /// v of the first and of the last row.
    pub v: (f64, f64),
    /// Names of the complex arrays of shape [rows, columns]: co- and cross-polar (Ludwig-3), of unit mean
    /// power over all directions, so that |E|² is the directivity.
    pub components: [String; 2],
}

/// A far field along cuts of constant φ, for programs that read GRASP files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldCuts {
    /// Name of the file, without its ending.
    pub name: String,
    /// φ of the cuts, degrees.
    pub phi: Vec<f64>,
    /// First θ and step, degrees.
    pub theta: (f64, f64),
    /// Names of the complex arrays of shape [cuts, θ], as in [`FieldGrid`].
    pub components: [String; 2],
}

/// Scattering parameters over frequency, for programs that read Touchstone files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkFile {
    /// Name of the file, without its ending.
    pub name: String,
    /// Number of ports.
    pub ports: usize,
    /// Resistance of every port, Ω.
    pub resistance: f64,
    /// Name of the array of frequencies, Hz.
    pub frequencies: String,
    /// Name of the complex array by frequency, receiving port, driven port.
    pub parameters: String,
}

impl NetworkFile {
    /// The name with its ending.
    pub fn file_name(&self) -> String {
        format!("{}.s{}p", self.name, self.ports)
    }
}

/// Fields of a mesh at a moment, for programs that read VTK files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldFile {
    /// Name of the file, without its ending.
    pub name: String,
    /// The moment, s.
    pub time: f64,
    /// Name of the array of points, four to a tetrahedron: [4n, 3] in metres.
    pub points: String,
    /// Name of the array of E at these points, V/m.
    pub electric: String,
    /// Name of the array of Z₀H at these points, V/m.
    pub magnetic: String,
}

impl FieldFile {
    /// The file that lists all moments.
    pub const SERIES: &'static str = "fields.pvd";

    /// The name with its ending.
    pub fn file_name(&self) -> String {
        format!("{}.vtu", self.name)
    }
}

/// A number of the run held against what it should be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// What is checked.
    pub name: String,
    /// What was found.
    pub value: f64,
    /// What it must not exceed.
    pub limit: f64,
    /// What it is held against.
    pub against: String,
}

impl Check {
    /// Whether the number is good.
    pub fn passes(&self) -> bool {
        self.value <= self.limit
    }
}

/// Where a method holds, in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validity {
    /// Name of the result or method.
    pub name: String,
    /// By what it is made.
    pub by_theory: String,
    /// By what was measured.
    pub measured: String,
}

/// Everything a run computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// One sentence under the title.
    pub summary: String,
    /// Numbers worth showing first.
    pub key_figures: Vec<KeyFigure>,
    /// All arrays.
    pub arrays: Vec<Array>,
    /// Which of them form tables.
    pub tables: Vec<Table>,
    /// What to draw.
    pub figures: Vec<Figure>,
    /// What to show in three dimensions.
    pub view: View,
    /// Far fields to be written as GRASP grids.
    pub grids: Vec<FieldGrid>,
    /// Far fields to be written as GRASP cuts.
    pub cuts: Vec<FieldCuts>,
    /// Scattering parameters to be written as Touchstone files.
    pub networks: Vec<NetworkFile>,
    /// Fields of a mesh to be written as VTK files.
    pub fields: Vec<FieldFile>,
    /// What the run checked about itself.
    pub checks: Vec<Check>,
    /// Where the methods of a comparison hold.
    pub validity: Vec<Validity>,
    /// Relative accuracy promised.
    pub accuracy: f64,
}

impl Outcome {
    /// The array of a name.
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.arrays.iter().find(|array| array.name == name)
    }

    /// Adds a table of columns (name, unit, array); the arrays are named `table/column`.
    pub fn add_table(&mut self, name: &str, caption: &str, columns: Vec<(&str, &str, Data)>) {
        let mut table = Table {
            name: name.to_owned(),
            caption: caption.to_owned(),
            columns: Vec::with_capacity(columns.len()),
            in_report: false,
        };
        for (column, unit, data) in columns {
            let array_name = format!("{name}/{column}");
            self.arrays.push(match data {
                Data::Real(values) => Array::real(array_name, values),
                Data::Complex(values) => Array::complex(array_name, values),
                Data::Index(values) => Array {
                    name: array_name,
                    shape: vec![values.len()],
                    data: Data::Index(values),
                },
            });
            table.columns.push(Column {
                name: column.to_owned(),
                unit: unit.to_owned(),
            });
        }
        self.tables.push(table);
    }

    /// Puts a table into the report.
    pub fn show_table(&mut self, name: &str) {
        for table in self.tables.iter_mut().filter(|table| table.name == name) {
            table.in_report = true;
        }
    }

    /// Adds a mesh to the three-dimensional view, with its arrays `mesh/points` and `mesh/triangles`.
    pub fn show_mesh(&mut self, name: &str, mesh: &TriangleMesh) {
        let points: Vec<f64> = mesh.points.iter().flatten().copied().collect();
        self.arrays
            .push(Array::real("mesh/points", points).reshaped(&[mesh.points.len(), 3]));
        self.arrays.push(Array {
            name: "mesh/triangles".to_owned(),
            shape: vec![mesh.triangles.len(), 3],
            data: Data::Index(mesh.triangles.iter().flatten().copied().collect()),
        });
        self.view.meshes.push(MeshView {
            name: name.to_owned(),
            points: "mesh/points".to_owned(),
            triangles: "mesh/triangles".to_owned(),
            quantity: None,
        });
    }

    /// Adds the arrays `name/x` and `name/y` of lines in the plane and returns the curve that draws
    /// them over a map. A ring comes with its first point again at its end.
    pub fn add_outline<'a>(
        &mut self,
        name: &str,
        lines: impl IntoIterator<Item = &'a [[f64; 2]]>,
    ) -> Series {
        let mut axes: [Vec<f64>; 2] = Default::default();
        for line in lines {
            for (axis, values) in axes.iter_mut().enumerate() {
                if !values.is_empty() {
                    values.push(f64::NAN);
                }
                values.extend(line.iter().map(|point| point[axis]));
            }
        }
        let names = ["x", "y"].map(|axis| format!("{name}/{axis}"));
        for (array_name, values) in names.iter().zip(axes) {
            self.arrays.push(Array::real(array_name, values));
        }
        let [x, y] = names;
        Series {
            name: name.to_owned(),
            x,
            y,
            part: None,
            stride: 1,
            reference: false,
        }
    }
}
