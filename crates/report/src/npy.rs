//! Arrays in NPY format (numpy.lib.format, versions 1 to 3).
//!
//! The header is a Python dictionary, but every program writes the same three entries; the parser supports only
//! these. Memory is proportional to the data in the file, not to the size in the header.

use std::io::{self, Write};

use num_complex::Complex64;

use wavefield_solver::outcome::Data;

/// Length of magic string and version.
const MARK: usize = 8;

/// Alignment of the data in bytes, for readers that map the file.
pub(super) const ALIGNMENT: u16 = 64;

/// Writes a row-major array.
pub(super) fn write(writer: &mut impl Write, shape: &[usize], data: &Data) -> io::Result<()> {
    let kind = match data {
        Data::Real(_) => "<f8",
        Data::Complex(_) => "<c16",
        Data::Index(_) => "<u4",
    };
    let lengths: String = shape.iter().map(|length| format!("{length}, ")).collect();
    // NumPy writes `(3,)` and `(2, 3)`.
    let lengths = match shape.len() {
        1 => lengths.trim_end(),
        _ => lengths.trim_end_matches(", "),
    };
    let mut head = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({lengths}), }}");
    // Magic string and version, two bytes of length, header, newline.
    let used = MARK + 2 + head.len() + 1;
    head.push_str(&" ".repeat(used.next_multiple_of(usize::from(ALIGNMENT)) - used));
    head.push('\n');
    let length = u16::try_from(head.len()).map_err(io::Error::other)?;
    writer.write_all(b"\x93NUMPY\x01\0")?;
    writer.write_all(&length.to_le_bytes())?;
    writer.write_all(head.as_bytes())?;
    match data {
        Data::Real(values) => values
            .iter()
            .try_for_each(|value| writer.write_all(&value.to_le_bytes())),
        Data::Complex(values) => values.iter().try_for_each(|value| {
            writer.write_all(&value.re.to_le_bytes())?;
            writer.write_all(&value.im.to_le_bytes())
        }),
        Data::Index(values) => values
            .iter()
            .try_for_each(|value| writer.write_all(&value.to_le_bytes())),
    }
}

/// Parses an array; returns shape and row-major values.
pub(super) fn read(bytes: &[u8]) -> Result<(Vec<usize>, Data), String> {
    let cut_off = || "the header is truncated".to_owned();
    if !bytes.starts_with(b"\x93NUMPY") {
        return Err("not an NPY array".to_owned());
    }
    let version = *bytes.get(6).ok_or_else(cut_off)?;
    let width = match version {
        1 => 2,
        2 | 3 => 4,
        _ => return Err(format!("NPY version {version} is not supported")),
    };
    let length = bytes.get(MARK..MARK + width).ok_or_else(cut_off)?;
    let length = (length.iter().rev()).fold(0, |sum, byte| 256 * sum + usize::from(*byte));
    let (head, body) = bytes[MARK + width..]
        .split_at_checked(length)
        .ok_or_else(cut_off)?;
    let head = std::str::from_utf8(head).map_err(|_| "the header is not UTF-8".to_owned())?;

    let shape = shape(head)?;
    let kind = between(entry(head, "descr")?, '\'', '\'')?;
    let fortran_order = entry(head, "fortran_order")?.starts_with("True");
    let data = match kind {
        "<f8" => Data::Real(numbers(body, &shape, fortran_order, f64::from_le_bytes)?),
        ">f8" => Data::Real(numbers(body, &shape, fortran_order, f64::from_be_bytes)?),
        "<c16" => Data::Complex(numbers(body, &shape, fortran_order, |bytes| {
            complex(bytes, f64::from_le_bytes)
        })?),
        ">c16" => Data::Complex(numbers(body, &shape, fortran_order, |bytes| {
            complex(bytes, f64::from_be_bytes)
        })?),
        "<u4" => Data::Index(numbers(body, &shape, fortran_order, u32::from_le_bytes)?),
        ">u4" => Data::Index(numbers(body, &shape, fortran_order, u32::from_be_bytes)?),
        other => {
            let other: String = other.chars().take(20).collect();
            return Err(format!(
                "the type `{other}` is not supported; use f8, c16, or u4"
            ));
        }
    };
    Ok((shape, data))
}

/// Returns the text after a key of the header.
fn entry<'a>(head: &'a str, key: &str) -> Result<&'a str, String> {
    let (_, behind) = head
        .split_once(&format!("'{key}':"))
        .ok_or_else(|| format!("the header has no `{key}`"))?;
    Ok(behind.trim_start())
}

/// Returns the text between two delimiters, the first of which must be at the beginning.
fn between(text: &str, first: char, last: char) -> Result<&str, String> {
    text.strip_prefix(first)
        .and_then(|rest| rest.split_once(last))
        .map(|(inside, _)| inside)
        .ok_or_else(|| format!("the header lacks a `{first}` or `{last}`"))
}

/// Parses the shape, whose product must not overflow in any order.
fn shape(head: &str) -> Result<Vec<usize>, String> {
    let refused = || "the shape is invalid or overflows".to_owned();
    let lengths = between(entry(head, "shape")?, '(', ')')?;
    let shape = lengths
        .split(',')
        .map(str::trim)
        .filter(|length| !length.is_empty())
        .map(|length| length.parse().map_err(|_| refused()))
        .collect::<Result<Vec<usize>, _>>()?;
    let longest = (shape.iter().filter(|length| **length > 0))
        .try_fold(1_usize, |product, length| product.checked_mul(*length));
    longest.map(|_| shape).ok_or_else(refused)
}

/// Decodes the values in row-major order.
fn numbers<T: Copy, const WIDTH: usize>(
    body: &[u8],
    shape: &[usize],
    fortran_order: bool,
    number: impl Fn([u8; WIDTH]) -> T,
) -> Result<Vec<T>, String> {
    let announced: usize = shape.iter().product();
    let (whole, rest) = body.as_chunks::<WIDTH>();
    if whole.len() != announced || !rest.is_empty() {
        return Err(format!(
            "the header states {announced} values of {WIDTH} bytes, but {} bytes follow",
            body.len()
        ));
    }
    let values: Vec<T> = whole.iter().map(|bytes| number(*bytes)).collect();
    if !fortran_order {
        return Ok(values);
    }
    Ok(row_major(&values, shape))
}

/// Reorders column-major values to row-major order.
fn row_major<T: Copy>(values: &[T], shape: &[usize]) -> Vec<T> {
    let mut index = vec![0; shape.len()];
    let next = |_| {
        let column_major =
            (index.iter().zip(shape).rev()).fold(0, |sum, (i, length)| sum * length + i);
        for (i, length) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < *length {
                break;
            }
            *i = 0;
        }
        values[column_major]
    };
    (0..values.len()).map(next).collect()
}

fn complex(bytes: [u8; 16], number: impl Fn([u8; 8]) -> f64) -> Complex64 {
    let [a, b, c, d, e, f, g, h, imaginary @ ..] = bytes;
    Complex64::new(number([a, b, c, d, e, f, g, h]), number(imaginary))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(head: &str, body: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\0".to_vec();
        bytes.extend((head.len() as u16).to_le_bytes());
        bytes.extend(head.as_bytes());
        bytes.extend(body);
        bytes
    }

    fn indices(shape: &str, fortran_order: &str, count: u32) -> Vec<u8> {
        let head =
            format!("{{'descr': '<u4', 'fortran_order': {fortran_order}, 'shape': {shape}, }}\n");
        let body: Vec<u8> = (0..count).flat_map(u32::to_le_bytes).collect();
        file(&head, &body)
    }

    #[test]
    fn written_arrays_are_aligned_and_read_back() {
        for (shape, data) in [
            (vec![], Data::Real(vec![1.5])),
            (vec![3], Data::Index(vec![1, 2, 3])),
            (
                vec![2, 1, 2],
                Data::Complex(vec![
                    Complex64::new(1.0, -0.0),
                    Complex64::I,
                    Complex64::ONE,
                    -Complex64::I,
                ]),
            ),
            (vec![0, 7], Data::Real(vec![])),
        ] {
            let mut bytes = Vec::new();
            write(&mut bytes, &shape, &data).unwrap();
            let newline = bytes.iter().position(|byte| *byte == b'\n').unwrap();
            assert_eq!((newline + 1) % usize::from(ALIGNMENT), 0);
            assert_eq!(read(&bytes).unwrap(), (shape, data));
        }
    }

    #[test]
    fn both_orders_of_numbers_are_read() {
        let by_rows = read(&indices("(2, 3)", "False", 6)).unwrap();
        assert_eq!(by_rows, (vec![2, 3], Data::Index(vec![0, 1, 2, 3, 4, 5])));
        let by_columns = read(&indices("(2, 3)", "True", 6)).unwrap();
        assert_eq!(by_columns.1, Data::Index(vec![0, 2, 4, 1, 3, 5]));
        let cube = read(&indices("(2, 1, 3)", "True", 6)).unwrap();
        assert_eq!(cube.1, Data::Index(vec![0, 2, 4, 1, 3, 5]));
        assert_eq!(
            read(&indices("()", "False", 1)).unwrap().0,
            Vec::<usize>::new()
        );
        assert_eq!(read(&indices("(0, 7)", "True", 0)).unwrap().0, [0, 7]);
    }

    #[test]
    fn complex_numbers_of_both_kinds_of_machines_are_read() {
        let value = Complex64::new(1.5, -2.0);
        for (kind, bytes) in [
            ("<c16", [value.re.to_le_bytes(), value.im.to_le_bytes()]),
            (">c16", [value.re.to_be_bytes(), value.im.to_be_bytes()]),
        ] {
            let head = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': (1,)}}");
            let found = read(&file(&head, bytes.as_flattened())).unwrap();
            assert_eq!(found, (vec![1], Data::Complex(vec![value])));
        }
    }

    #[test]
    fn announced_numbers_that_are_not_there_take_no_memory() {
        for shape in [
            "(7,)",
            "(5,)",
            "(99999999999,)",
            "(4294967296, 4294967296)",
            "(0, 4294967296, 4294967296)",
            "(18446744073709551616,)",
            "(-1,)",
        ] {
            assert!(read(&indices(shape, "False", 6)).is_err(), "{shape}");
        }
        let mut long_head = b"\x93NUMPY\x02\0\xff\xff\xff\xff{".to_vec();
        assert!(read(&long_head).is_err());
        long_head.truncate(9);
        assert!(read(&long_head).is_err());
    }

    #[test]
    fn what_is_no_array_is_refused() {
        let nested = format!("{{'descr': {}, 'shape': ((", "(".repeat(60_000));
        for bytes in [
            Vec::new(),
            b"\x93NUMPY".to_vec(),
            b"\x93NUMPY\x09\0\0\0".to_vec(),
            file("", &[]),
            file(
                "{'descr': '<i8', 'fortran_order': False, 'shape': ()}",
                &[0; 8],
            ),
            file(&nested, &[]),
        ] {
            assert!(read(&bytes).is_err());
        }
    }
}
