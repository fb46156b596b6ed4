//! Batches of transforms: leading axes of data and coordinates.

use super::ffi::Array;

/// Consecutive transforms of the same points.
#[derive(Debug, PartialEq)]
pub(super) struct Group {
    /// Index of the first transform of each data argument.
    data: Vec<usize>,
    /// Index of the coordinates of each axis.
    axes: Vec<usize>,
    /// Index of the first transform of the results.
    first: usize,
    /// Number of transforms.
    count: usize,
}

impl Group {
    /// Returns a data argument's elements of the group; a transform has `size` elements.
    pub(super) fn part<'a, T>(&self, values: &'a [T], argument: usize, size: usize) -> &'a [T] {
        &values[self.data[argument] * size..][..self.count * size]
    }

    /// Returns a result's elements of the group.
    pub(super) fn result<'a, T>(&self, values: &'a mut [T], size: usize) -> &'a mut [T] {
        &mut values[self.first * size..][..self.count * size]
    }

    /// Returns the coordinates of the axes from `from` on, each with `size` numbers.
    pub(super) fn axes<'a, T>(&self, values: &[&'a [T]], from: usize, size: usize) -> Vec<&'a [T]> {
        let indices = &self.axes[from..];
        let at = |(values, &index): (&&'a [T], &usize)| &values[index * size..][..size];
        values.iter().zip(indices).map(at).collect()
    }
}

/// Splits a shape into leading axes and the last `core` axes.
pub(super) fn split(shape: &[usize], core: usize) -> Result<(&[usize], &[usize]), String> {
    shape
        .len()
        .checked_sub(core)
        .map(|leading| shape.split_at(leading))
        .ok_or_else(|| format!("an argument of shape {shape:?} needs {core} axes"))
}

/// Divides the transforms into groups. `data` are arguments with the number of axes of one transform, `axes` the coordinates.
pub(super) fn groups(
    batches: &[usize],
    data: &[(&Array<'_>, usize)],
    axes: &[Array<'_>],
) -> Result<Vec<Group>, String> {
    let data = data
        .iter()
        .map(|(array, core)| strides(batches, array.shape, *core))
        .collect::<Result<Vec<_>, _>>()?;
    let axes = axes
        .iter()
        .map(|array| strides(batches, array.shape, 1))
        .collect::<Result<Vec<_>, _>>()?;
    let mut groups: Vec<Group> = Vec::new();
    for first in 0..batches.iter().product() {
        let at = |strides: &Vec<usize>| index(batches, strides, first);
        let (data, axes): (Vec<_>, Vec<_>) =
            (data.iter().map(at).collect(), axes.iter().map(at).collect());
        match groups.last_mut() {
            Some(last)
                if last.axes == axes
                    && last
                        .data
                        .iter()
                        .zip(&data)
                        .all(|(a, b)| a + last.count == *b) =>
            {
                last.count += 1;
            }
            _ => groups.push(Group {
                data,
                axes,
                first,
                count: 1,
            }),
        }
    }
    Ok(groups)
}

/// Returns the step of an argument's index per leading axis: 0 along axes of length one.
fn strides(batches: &[usize], shape: &[usize], core: usize) -> Result<Vec<usize>, String> {
    let (leading, _) = split(shape, core)?;
    let fits = leading.len() == batches.len()
        && leading
            .iter()
            .zip(batches)
            .all(|(&have, &need)| have == 1 || have == need);
    if !fits {
        return Err(format!(
            "leading axes {leading:?} do not fit batches {batches:?}"
        ));
    }
    let mut step = 1;
    let mut strides = vec![0; leading.len()];
    for (stride, &length) in strides.iter_mut().zip(leading).rev() {
        *stride = if length == 1 { 0 } else { step };
        step *= length;
    }
    Ok(strides)
}

/// Returns an argument's index of a transform, the last leading axis fastest.
fn index(batches: &[usize], strides: &[usize], transform: usize) -> usize {
    let mut rest = transform;
    let mut index = 0;
    for (&length, &stride) in batches.iter().zip(strides).rev() {
        index += rest % length * stride;
        rest /= length;
    }
    index
}
