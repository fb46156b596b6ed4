//! Outcome of a run, in one form for every solver: arrays, and their presentation.
//!
//! A solver converts its typed result to an [`Outcome`]. Result files, the report, and the Python package
//! read only this type, so a new solver needs no new file format.

pub mod antenna;
pub mod aspects;
mod current;
pub mod selection;
mod waterfall;

use num_complex::Complex64;
use serde::{Deserialize, Serialize};
use wavefield_mesh::TriangleMesh;

/// A named array of any shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Name, unique in the outcome: `rcs/vv`.
    pub name: String,
    /// Length of each axis; the last axis is contiguous.
    pub shape: Vec<usize>,
    /// Values in row-major order.
    pub data: Data,
}

/// Values of one type.
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
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            Data::Real(values) => values.len(),
            Data::Complex(values) => values.len(),
            Data::Index(values) => values.len(),
        }
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Array {
    /// Creates a one-dimensional real array.
    pub fn real(name: impl Into<String>, data: Vec<f64>) -> Array {
        Array {
            name: name.into(),
            shape: vec![data.len()],
            data: Data::Real(data),
        }
    }

    /// Creates a one-dimensional complex array.
    pub fn complex(name: impl Into<String>, data: Vec<Complex64>) -> Array {
        Array {
            name: name.into(),
            shape: vec![data.len()],
            data: Data::Complex(data),
        }
    }

    /// Returns the array with another shape of equal size.
    pub fn reshaped(mut self, shape: &[usize]) -> Array {
        debug_assert_eq!(
            shape.iter().product::<usize>(),
            self.shape.iter().product::<usize>()
        );
        self.shape = shape.to_vec();
        self
    }

    /// Returns the values if they are real.
    pub fn as_real(&self) -> Option<&[f64]> {
        match &self.data {
            Data::Real(values) => Some(values),
            _ => None,
        }
    }

    /// Returns the values if they are complex.
    pub fn as_complex(&self) -> Option<&[Complex64]> {
        match &self.data {
            Data::Complex(values) => Some(values),
            _ => None,
        }
    }

    /// Returns the values if they are indices.
    pub fn as_index(&self) -> Option<&[u32]> {
        match &self.data {
            Data::Index(values) => Some(values),
            _ => None,
        }
    }
}

/// A table: one-dimensional arrays of equal length as columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Name of the table and of its CSV file.
    pub name: String,
    /// Caption of the table.
    pub caption: String,
    /// Columns, in order.
    pub columns: Vec<Column>,
    /// Whether the report shows the table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_report: bool,
}

/// A column of a table; its values are the array `table/name`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Name of the column.
    pub name: String,
    /// Unit; empty for a dimensionless quantity.
    pub unit: String,
}

/// A labeled array: its unit and dimensions, for xarray and netCDF.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Name of the array.
    pub array: String,
    /// Unit; empty for a dimensionless quantity.
    pub unit: String,
    /// For each axis the array of its coordinates, or the name of a dimension without coordinates.
    pub dimensions: Vec<String>,
}

/// A key figure: a number at the head of the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyFigure {
    /// Label of the quantity.
    pub label: String,
    /// Formatted value.
    pub value: String,
    /// Unit of the value; empty for a dimensionless quantity.
    pub unit: String,
}

impl KeyFigure {
    /// Creates a key figure.
    pub fn new(label: &str, value: String, unit: &str) -> KeyFigure {
        KeyFigure {
            label: label.to_owned(),
            value,
            unit: unit.to_owned(),
        }
    }
}

/// Kind of a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    /// Cartesian axes, both linear.
    Cartesian,
    /// Cartesian axes, y logarithmic.
    Logarithmic,
    /// Polar axes: x is the angle in degrees, y the radius.
    Polar,
    /// Smith chart: x and y are the real and imaginary part of a reflection coefficient.
    Smith,
    /// Color map of a quantity over the plane; the series are outlines drawn over it.
    Map(Map),
    /// Animation of maps of one quantity, one frame per time sample.
    Animation(Animation),
    /// Scatter plot of points in the plane, colored by a quantity; the series are outlines drawn over it.
    Scatter(Scatter),
    /// Figures of which the reader selects one; the series are in these.
    Choice(Choice),
}

/// Alternative figures, such as one per frequency. Choices with the same options are selected together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Name of the parameter that is selected.
    pub label: String,
    /// Name of each alternative.
    pub options: Vec<String>,
    /// The alternatives, one per option.
    pub figures: Vec<Figure>,
    /// Alternative shown first, and the only one in files.
    pub shown: usize,
}

impl Choice {
    /// Returns the figure that is shown first.
    pub fn shown_figure(&self) -> Option<&Figure> {
        self.figures.get(self.shown)
    }
}

/// A quantity on a uniform grid of the plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Map {
    /// Name of the real array of shape [rows, columns]; x varies along a row, y from row to row. NaN values
    /// are not drawn.
    pub array: String,
    /// x of the first and the last column.
    pub x: (f64, f64),
    /// y of the first and the last row.
    pub y: (f64, f64),
    /// Whether both axes have the same scale.
    #[serde(default)]
    pub equal_aspect: bool,
    /// Whether y increases downward.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub y_down: bool,
    /// Color scale of the quantity.
    pub colors: ColorScale,
    /// Levels of the contour lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contours: Vec<f64>,
}

/// An animation: a quantity on a uniform grid of the plane at several time samples, with one color scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Animation {
    /// Map common to all frames; its array has the shape [frames, rows, columns].
    pub map: Map,
    /// Label of each frame, as its time with unit.
    pub moments: Vec<String>,
    /// Frame shown first, and the only one shown in print.
    pub shown: usize,
}

/// A quantity at points of the plane, drawn with equal scale on both axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scatter {
    /// Name of the real array of abscissae.
    pub x: String,
    /// Name of the real array of ordinates.
    pub y: String,
    /// Name of the real array of the quantity; points with a NaN value are not drawn.
    pub values: String,
    /// Color scale of the quantity.
    pub colors: ColorScale,
}

/// A scale from a quantity to colors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColorScale {
    /// Name of the quantity.
    pub label: String,
    /// Unit of the quantity.
    pub unit: String,
    /// Values of the first and the last color. Default: all values; the upper 40 dB of decibels; symmetric about zero for
    /// a diverging map; −180° to 180° for a cyclic one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// Color map of the quantity.
    #[serde(default, skip_serializing_if = "ColorMap::is_sequential")]
    pub map: ColorMap,
}

/// A color map. Values outside the range of the scale are clamped, those of a cyclic quantity wrapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColorMap {
    /// Increasing lightness, for magnitudes and levels.
    #[default]
    Sequential,
    /// Two hues around a neutral zero, for signed quantities; the default range is symmetric about zero.
    Diverging,
    /// A closed curve of hues, for phases.
    Cyclic,
}

impl ColorMap {
    fn is_sequential(&self) -> bool {
        *self == ColorMap::Sequential
    }
}

/// A figure over arrays of the outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Title of the figure.
    pub title: String,
    /// Caption of the figure.
    pub caption: String,
    /// Kind of the figure.
    pub kind: FigureKind,
    /// Label of the abscissa.
    pub x_label: String,
    /// Unit of the abscissa.
    pub x_unit: String,
    /// Label of the ordinate.
    pub y_label: String,
    /// Unit of the ordinate.
    pub y_unit: String,
    /// Curves of the figure.
    pub series: Vec<Series>,
}

/// A curve: two real arrays of equal length, or a slice of them. NaN values interrupt the curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Name of the array of abscissae.
    pub x: String,
    /// Name of the array of ordinates.
    pub y: String,
    /// First element and number of elements of a slice of the arrays; default: the whole arrays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<(usize, usize)>,
    /// Stride between elements, for a cut across a grid.
    #[serde(default = "next", skip_serializing_if = "is_next")]
    pub stride: usize,
    /// Whether the curve is a reference solution, drawn dashed.
    #[serde(default)]
    pub reference: bool,
}

impl Series {
    /// Creates a curve over whole arrays.
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

/// Three-dimensional view: patterns, meshes, and incident waves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Caption of the view.
    pub caption: String,
    /// Patterns over all directions.
    pub patterns: Vec<PatternView>,
    /// Triangle meshes.
    pub meshes: Vec<MeshView>,
    /// Directions of propagation of incident waves, with their polarization.
    pub arrows: Vec<ArrowView>,
}

/// A pattern: a real array of shape [θ, φ] on a uniform grid, 0 to 180° and 0 to 360° inclusive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternView {
    /// Name of the pattern in the selection.
    pub name: String,
    /// Unit of the values.
    pub unit: String,
    /// Name of the real array.
    pub array: String,
    /// Option of a [`Choice`] that selects the pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
}

/// A mesh: arrays of points [n, 3] in meters and of triangles [m, 3].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshView {
    /// Name of the mesh.
    pub name: String,
    /// Name of the array of points.
    pub points: String,
    /// Name of the array of triangles.
    pub triangles: String,
    /// Quantities of which one colors the triangles; the first one is shown first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quantities: Vec<SurfaceQuantity>,
}

/// A quantity with one value per triangle of a mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfaceQuantity {
    /// Name of the quantity.
    pub name: String,
    /// Unit of the quantity.
    pub unit: String,
    /// Name of the real array, one value per triangle; triangles with a NaN value are not colored.
    pub array: String,
    /// Values of the first and the last color.
    pub range: (f64, f64),
    /// Option of a [`Choice`] that selects the quantity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
}

/// An incident wave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArrowView {
    /// Name of the wave.
    pub name: String,
    /// Direction of propagation.
    pub direction: [f64; 3],
    /// Direction of the electric field.
    pub polarization: Option<[f64; 3]>,
}

/// A far field on a uniform grid of direction cosines, for GRASP grid files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldGrid {
    /// Name of the file without extension.
    pub name: String,
    /// u of the first and the last column.
    pub u: (f64, f64),
    /// v of the first and the last row.
    pub v: (f64, f64),
    /// Names of the complex arrays of shape [rows, columns]: co- and cross-polar (Ludwig 3), normalized to
    /// unit mean power over all directions, so that |E|² is the directivity.
    pub components: [String; 2],
}

/// A far field along cuts of constant φ, for GRASP cut files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldCuts {
    /// Name of the file without extension.
    pub name: String,
    /// φ of the cuts, in degrees.
    pub phi: Vec<f64>,
    /// First θ and step, in degrees.
    pub theta: (f64, f64),
    /// Names of the complex arrays of shape [cuts, θ], as in [`FieldGrid`].
    pub components: [String; 2],
}

/// S-parameters versus frequency, for Touchstone files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkFile {
    /// Name of the file without extension.
    pub name: String,
    /// Number of ports.
    pub ports: usize,
    /// Reference impedance of every port, in Ω.
    pub resistance: f64,
    /// Name of the array of frequencies, in Hz.
    pub frequencies: String,
    /// Name of the complex array of shape [frequency, receiving port, driven port].
    pub parameters: String,
}

impl NetworkFile {
    /// Returns the file name with extension.
    pub fn file_name(&self) -> String {
        format!("{}.s{}p", self.name, self.ports)
    }
}

/// Fields on a mesh at one time sample, for VTK files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldFile {
    /// Name of the file without extension.
    pub name: String,
    /// Time, in s.
    pub time: f64,
    /// Name of the array of points, four per tetrahedron: [4n, 3] in meters.
    pub points: String,
    /// Name of the array of E at these points, in V/m.
    pub electric: String,
    /// Name of the array of Z₀H at these points, in V/m.
    pub magnetic: String,
}

impl FieldFile {
    /// Name of the PVD file that lists all time samples.
    pub const SERIES: &'static str = "fields.pvd";

    /// Returns the file name with extension.
    pub fn file_name(&self) -> String {
        format!("{}.vtu", self.name)
    }
}

/// A check: a metric of the run with its limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// Name of the metric.
    pub name: String,
    /// Value of the metric.
    pub value: f64,
    /// Upper limit of the metric.
    pub limit: f64,
    /// Reference that the metric is compared with.
    pub against: String,
    /// Remedy for a failed check, as an imperative that names the input key to change.
    #[serde(default)]
    pub remedy: String,
}

impl Check {
    /// Returns whether the metric is within its limit.
    pub fn passes(&self) -> bool {
        self.value <= self.limit
    }

    /// Describes a failed check in one line: value, limit, and remedy.
    pub fn failure(&self) -> String {
        let remedy = if self.remedy.is_empty() {
            String::new()
        } else {
            format!("; {}", self.remedy)
        };
        format!(
            "{}: {:.3e}, at most {:.3e}{remedy}",
            self.name, self.value, self.limit
        )
    }
}

/// Range of validity of a method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validity {
    /// Name of the result or method.
    pub name: String,
    /// Range of validity by theory.
    pub by_theory: String,
    /// Range of validity by measurement.
    pub measured: String,
}

/// Outcome of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Summary, one sentence.
    pub summary: String,
    /// Key figures at the head of the report.
    pub key_figures: Vec<KeyFigure>,
    /// All arrays of the run.
    pub arrays: Vec<Array>,
    /// Tables over the arrays.
    pub tables: Vec<Table>,
    /// Units and dimensions of arrays that are not in tables.
    pub variables: Vec<Variable>,
    /// Figures over the arrays.
    pub figures: Vec<Figure>,
    /// Three-dimensional view.
    pub view: View,
    /// Far fields for GRASP grid files.
    pub grids: Vec<FieldGrid>,
    /// Far fields for GRASP cut files.
    pub cuts: Vec<FieldCuts>,
    /// S-parameters for Touchstone files.
    pub networks: Vec<NetworkFile>,
    /// Fields on a mesh for VTK files.
    pub fields: Vec<FieldFile>,
    /// Checks of the run.
    pub checks: Vec<Check>,
    /// Ranges of validity of the compared methods.
    pub validity: Vec<Validity>,
    /// Requested relative accuracy.
    pub accuracy: f64,
}

impl Outcome {
    /// Returns the array of this name.
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.arrays.iter().find(|array| array.name == name)
    }

    /// Adds a table of columns (name, unit, values); the arrays are named `table/column`.
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

    /// Labels an array with its unit and, for each axis, the array of its coordinates or the name of a dimension.
    pub fn label(&mut self, array: &str, unit: &str, dimensions: &[&str]) {
        self.variables.push(Variable {
            array: array.to_owned(),
            unit: unit.to_owned(),
            dimensions: dimensions.iter().map(|&name| name.to_owned()).collect(),
        });
    }

    /// Adds an array of coordinates along a dimension of other arrays.
    pub fn add_coordinates(&mut self, array: &str, unit: &str, values: Vec<f64>) {
        self.arrays.push(Array::real(array, values));
        self.label(array, unit, &[array]);
    }

    /// Marks a table to be shown in the report.
    pub fn show_table(&mut self, name: &str) {
        for table in self.tables.iter_mut().filter(|table| table.name == name) {
            table.in_report = true;
        }
    }

    /// Adds a mesh to the three-dimensional view, with the arrays `mesh/points` and `mesh/triangles`.
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
            quantities: Vec::new(),
        });
    }

    /// Adds plane curves as the arrays `name/x` and `name/y`, and returns the curve that outlines them on a
    /// map. A closed curve repeats its first point at the end.
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
