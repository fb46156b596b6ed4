//! C interface of XLA's foreign function calls (XLA FFI), version 0, as declared in `xla/ffi/api/c_api.h`.
//!
//! XLA calls a handler with a [`Frame`] of buffers and attributes. [`answer`] decodes it into a [`Call`] of slices.

#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use num_complex::{Complex32, Complex64};

/// Version of the interface that these declarations follow.
const VERSION: (i32, i32) = (0, 1);
/// Kind of the extension in which XLA asks for the version.
const METADATA: i32 = 1;
/// Kind of a buffer among arguments and results.
const BUFFER: i32 = 1;
/// Kind of a scalar among attributes.
const SCALAR: i32 = 3;
/// Error codes.
const INVALID_ARGUMENT: i32 = 3;
const INTERNAL: i32 = 13;

#[repr(C)]
struct Extension {
    size: usize,
    kind: i32,
    next: *mut Extension,
}

#[repr(C)]
struct Version {
    size: usize,
    extension: *mut Extension,
    major: i32,
    minor: i32,
}

/// The first entries of XLA's table of functions.
#[repr(C)]
struct Api {
    size: usize,
    extension: *mut Extension,
    version: Version,
    internal: *const c_void,
    create_error: unsafe extern "C" fn(*mut NewError) -> *mut c_void,
}

#[repr(C)]
struct NewError {
    size: usize,
    extension: *mut Extension,
    message: *const c_char,
    code: i32,
}

#[repr(C)]
struct Buffer {
    size: usize,
    extension: *mut Extension,
    dtype: i32,
    data: *mut c_void,
    rank: i64,
    dims: *const i64,
}

/// Arguments or results.
#[repr(C)]
struct Buffers {
    size: usize,
    extension: *mut Extension,
    count: i64,
    kinds: *const i32,
    items: *const *const c_void,
}

#[repr(C)]
struct Attributes {
    size: usize,
    extension: *mut Extension,
    count: i64,
    kinds: *const i32,
    names: *const *const Bytes,
    items: *const *const c_void,
}

#[repr(C)]
struct Bytes {
    start: *const u8,
    length: usize,
}

#[repr(C)]
struct Scalar {
    dtype: i32,
    value: *const c_void,
}

/// What XLA passes to a handler.
#[repr(C)]
pub(crate) struct Frame {
    size: usize,
    extension: *mut Extension,
    api: *const Api,
    context: *mut c_void,
    stage: i32,
    arguments: Buffers,
    results: Buffers,
    attributes: Attributes,
}

#[repr(C)]
struct MetadataExtension {
    base: Extension,
    metadata: *mut Metadata,
}

/// The part of the metadata that every version of the interface has.
#[repr(C)]
struct Metadata {
    size: usize,
    version: Version,
    traits: u32,
}

/// Handler of a foreign function call.
pub(crate) type Handler = extern "C" fn(*mut Frame) -> *mut c_void;

/// Type of the elements of a buffer.
pub(crate) trait Element: Copy {
    /// XLA's number of the type.
    const DTYPE: i32;
}

impl Element for f32 {
    const DTYPE: i32 = 11;
}

impl Element for f64 {
    const DTYPE: i32 = 12;
}

impl Element for i64 {
    const DTYPE: i32 = 5;
}

impl Element for Complex32 {
    const DTYPE: i32 = 15;
}

impl Element for Complex64 {
    const DTYPE: i32 = 18;
}

/// Buffer of an argument or result.
#[derive(Clone, Copy)]
pub(crate) struct Array<'a> {
    /// Lengths of the axes.
    pub shape: &'a [usize],
    dtype: i32,
    data: *mut c_void,
}

/// Decoded call: arguments, results, and numbers among the attributes.
pub(crate) struct Call<'a> {
    pub arguments: Vec<Array<'a>>,
    pub results: Vec<ResultArray<'a>>,
    scalars: Vec<(&'a [u8], &'a Scalar)>,
}

/// Buffer that the handler writes.
pub(crate) struct ResultArray<'a>(Array<'a>);

impl<'a> Array<'a> {
    /// Returns whether the elements are of a type.
    pub(crate) fn holds<T: Element>(&self) -> bool {
        self.dtype == T::DTYPE
    }

    /// Returns the elements, the last axis fastest.
    pub(crate) fn values<T: Element>(&self) -> Result<&'a [T], String> {
        let length = self.length::<T>()?;
        if length == 0 {
            return Ok(&[]);
        }
        // SAFETY: XLA keeps `length` elements of this type alive and unchanged during the call; `length` checked the
        // type and the alignment.
        Ok(unsafe { std::slice::from_raw_parts(self.data.cast::<T>(), length) })
    }

    /// Returns the number of elements of this type.
    fn length<T: Element>(&self) -> Result<usize, String> {
        if !self.holds::<T>() {
            return Err(format!(
                "a buffer of type {} where {} is needed",
                self.dtype,
                T::DTYPE
            ));
        }
        let length = self.shape.iter().product();
        if length > 0 && (self.data.is_null() || !self.data.cast::<T>().is_aligned()) {
            return Err("a buffer is not aligned".into());
        }
        Ok(length)
    }
}

impl ResultArray<'_> {
    /// Lengths of the axes.
    pub(crate) fn shape(&self) -> &[usize] {
        self.0.shape
    }

    /// Returns the elements to be written, the last axis fastest.
    pub(crate) fn values<T: Element>(&mut self) -> Result<&mut [T], String> {
        let length = self.0.length::<T>()?;
        if length == 0 {
            return Ok(&mut []);
        }
        // SAFETY: as for arguments; XLA gives every result memory of its own unless aliases are requested, which
        // `wavefield.jax` does not do, and `&mut self` excludes a second slice. XLA's memory holds bytes of earlier
        // results, and every bit pattern is a number.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0.data.cast::<T>(), length) })
    }
}

impl<'a> Call<'a> {
    /// Returns a number among the attributes.
    pub(crate) fn number<T: Element>(&self, name: &str) -> Result<T, String> {
        let found = self
            .scalars
            .iter()
            .find(|(key, scalar)| *key == name.as_bytes() && scalar.dtype == T::DTYPE);
        let (_, scalar) = found.ok_or_else(|| format!("the attribute {name} is missing"))?;
        // SAFETY: XLA stores a value of this type, which may lie anywhere.
        Ok(unsafe { scalar.value.cast::<T>().read_unaligned() })
    }

    /// Decodes a frame.
    ///
    /// # Safety
    /// The frame must be one that XLA passes to a handler; it must outlive the call.
    unsafe fn decode(frame: &'a Frame) -> Result<Call<'a>, String> {
        // SAFETY: arrays of the frame have `count` items of the declared kinds.
        unsafe {
            let attributes = &frame.attributes;
            let count = usize::try_from(attributes.count).unwrap_or(0);
            let scalars = (0..count)
                .filter(|&i| *attributes.kinds.add(i) == SCALAR)
                .map(|i| {
                    let name = &**attributes.names.add(i);
                    let name = std::slice::from_raw_parts(name.start, name.length);
                    (name, &*(*attributes.items.add(i)).cast::<Scalar>())
                })
                .collect();
            Ok(Call {
                arguments: arrays(&frame.arguments)?,
                results: arrays(&frame.results)?
                    .into_iter()
                    .map(ResultArray)
                    .collect(),
                scalars,
            })
        }
    }
}

/// Returns the buffers of arguments or results.
///
/// # Safety
/// They must be those of a frame that XLA passes to a handler.
unsafe fn arrays<'a>(buffers: &'a Buffers) -> Result<Vec<Array<'a>>, String> {
    let count = usize::try_from(buffers.count).unwrap_or(0);
    (0..count)
        .map(|i| {
            // SAFETY: there are `count` kinds and items; an item of this kind is a buffer, whose shape has `rank` lengths.
            let buffer = unsafe {
                if *buffers.kinds.add(i) != BUFFER {
                    return Err("an argument is not a buffer".into());
                }
                &*(*buffers.items.add(i)).cast::<Buffer>()
            };
            let shape: &'a [usize] = match usize::try_from(buffer.rank) {
                Err(_) | Ok(0) => &[],
                // SAFETY: lengths are not negative, so that i64 and usize have the same representation.
                Ok(rank) => unsafe {
                    std::slice::from_raw_parts(buffer.dims.cast::<usize>(), rank)
                },
            };
            Ok(Array {
                shape,
                dtype: buffer.dtype,
                data: buffer.data,
            })
        })
        .collect()
}

// The shape is read where it lies.
const _: () = assert!(size_of::<usize>() == size_of::<i64>());

/// Answers XLA: runs the function on the decoded frame. An error, or a panic, becomes an error of XLA.
pub(crate) fn answer(
    frame: *mut Frame,
    run: impl FnOnce(&mut Call<'_>) -> Result<(), String>,
) -> *mut c_void {
    // SAFETY: XLA passes a frame that lives until the handler returns.
    let frame = unsafe { &*frame };
    // SAFETY: extensions are linked by pointers that are valid or null; the kind tells the type.
    unsafe {
        let mut extension = frame.extension;
        while !extension.is_null() {
            if (*extension).kind == METADATA {
                let metadata = &mut *(*extension.cast::<MetadataExtension>()).metadata;
                (metadata.version.major, metadata.version.minor) = VERSION;
                metadata.traits = 0;
                return ptr::null_mut();
            }
            extension = (*extension).next;
        }
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the frame is XLA's.
        let mut call = unsafe { Call::decode(frame)? };
        run(&mut call)
    }));
    match outcome {
        Ok(Ok(())) => ptr::null_mut(),
        Ok(Err(message)) => error(frame, INVALID_ARGUMENT, &message),
        Err(_) => error(frame, INTERNAL, "the transform failed; this is a defect"),
    }
}

/// Creates an error of XLA.
fn error(frame: &Frame, code: i32, message: &str) -> *mut c_void {
    let message = CString::new(message.replace('\0', " ")).expect("no zero byte is left");
    let mut new = NewError {
        size: size_of::<NewError>(),
        extension: ptr::null_mut(),
        message: message.as_ptr(),
        code,
    };
    // SAFETY: outside the request for metadata, XLA passes its table of functions. It copies the message.
    unsafe { ((*frame.api).create_error)(&raw mut new) }
}
