//! Translates kernels to SPIR-V (Vulkan), MSL (Metal), HLSL (Direct3D 12), and GLSL, as wgpu does on the machines of users:
//!
//! ```sh
//! WAVEFIELD_SHADERS=shaders cargo nextest run --workspace -E 'test(gpu)'
//! cargo run -p wavefield-gpu --example translate_shaders -- shaders crates
//! ```
//!
//! Fails if a language that has the types of a kernel cannot express it, and if a WGSL file of the sources is in no kernel.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use naga::back::{PipelineConstants, glsl, hlsl, msl, pipeline_constants, spv};
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ShaderStage};

/// Languages and the functions that write them.
type Translation = fn(&Module, &ModuleInfo, &str) -> Result<(), String>;
const LANGUAGES: [(&str, Translation); 4] = [
    ("SPIR-V", to_spirv),
    ("MSL", to_msl),
    ("HLSL", to_hlsl),
    ("GLSL", to_glsl),
];

fn main() -> ExitCode {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [shaders, sources] = folders.as_slice() else {
        eprintln!("usage: translate_shaders SHADERS SOURCES");
        return ExitCode::from(2);
    };
    let texts: Vec<(PathBuf, String)> = files(shaders);
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (path, text) in &texts {
        let kind = kind(text);
        let outcome = prepared(text);
        for (language, translate) in LANGUAGES {
            if !expresses(language, kind) {
                continue;
            }
            let written = match &outcome {
                Ok((module, info, entry)) => translate(module, info, entry),
                Err(reason) => Err(reason.clone()),
            };
            match written {
                Ok(()) => *counts.entry((kind, language)).or_default() += 1,
                Err(reason) => wrong.push(format!("{}: {language}: {reason}", path.display())),
            }
        }
    }
    for ((kind, language), count) in counts {
        println!("{kind:<16}{language:<8}{count:>5} kernels");
    }
    let unused = files(sources).into_iter().filter(|(_, source)| {
        let source = source.trim();
        !texts.iter().any(|(_, text)| text.contains(source))
    });
    wrong.extend(unused.map(|(path, _)| format!("{} is in no kernel", path.display())));
    for line in &wrong {
        eprintln!("{line}");
    }
    println!("{} kernels, {} errors", texts.len(), wrong.len());
    ExitCode::from(u8::from(!wrong.is_empty() || texts.is_empty()))
}

/// Returns the WGSL files in a folder and its folders, with their texts.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "wgsl")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            found.push((path, text));
        }
    }
    found
}

/// Returns the types of a kernel that some languages lack.
fn kind(text: &str) -> &'static str {
    let has = |word: &str| {
        text.lines()
            .map(|line| line.split("//").next().unwrap_or(""))
            .any(|line| line.contains(word))
    };
    match (has("atomic<f32>"), has("f64")) {
        (true, _) => "atomic f32",
        (_, true) => "f64",
        _ => "f32",
    }
}

/// Returns whether a language has the types of a kind of kernels: Metal has no double precision, and only Vulkan and Metal
/// add single-precision numbers atomically.
fn expresses(language: &str, kind: &str) -> bool {
    match kind {
        "f64" => language != "MSL",
        "atomic f32" => matches!(language, "SPIR-V" | "MSL"),
        _ => true,
    }
}

/// Parses and validates a kernel with its constants, and returns it with its entry point.
fn prepared(text: &str) -> Result<(Module, ModuleInfo, String), String> {
    let entry = (text.lines())
        .find_map(|line| line.strip_prefix("// entry: "))
        .ok_or("no entry point")?;
    let constants: PipelineConstants = (text.lines())
        .filter_map(|line| {
            let (name, value) = line.strip_prefix("// constant: ")?.split_once(" = ")?;
            Some((name.to_owned(), value.parse().ok()?))
        })
        .collect();
    let module = naga::front::wgsl::parse_str(text).map_err(|error| error.to_string())?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator
        .validate(&module)
        .map_err(|error| format!("{error:?}"))?;
    let stage = Some((ShaderStage::Compute, entry));
    let (module, info) = pipeline_constants::process_overrides(&module, &info, stage, &constants)
        .map_err(|error| error.to_string())?;
    Ok((module.into_owned(), info.into_owned(), entry.to_owned()))
}

fn to_spirv(module: &Module, info: &ModuleInfo, entry: &str) -> Result<(), String> {
    let pipeline = spv::PipelineOptions {
        shader_stage: ShaderStage::Compute,
        entry_point: entry.to_owned(),
    };
    let words = spv::write_vec(module, info, &spv::Options::default(), Some(&pipeline));
    words.map(|_| ()).map_err(|error| error.to_string())
}

fn to_msl(module: &Module, info: &ModuleInfo, entry: &str) -> Result<(), String> {
    let options = msl::Options {
        lang_version: (3, 0),
        ..msl::Options::default()
    };
    let pipeline = msl::PipelineOptions {
        entry_point: Some((ShaderStage::Compute, entry.to_owned())),
        ..msl::PipelineOptions::default()
    };
    let (_, written) =
        msl::write_string(module, info, &options, &pipeline).map_err(|error| error.to_string())?;
    (written.entry_point_names.into_iter()).try_for_each(|name| match name {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    })
}

fn to_hlsl(module: &Module, info: &ModuleInfo, entry: &str) -> Result<(), String> {
    let options = hlsl::Options {
        shader_model: hlsl::ShaderModel::V6_6,
        ..hlsl::Options::default()
    };
    let pipeline = hlsl::PipelineOptions {
        entry_point: Some((ShaderStage::Compute, entry.to_owned())),
    };
    let mut text = String::new();
    let written = hlsl::Writer::new(&mut text, &options, &pipeline).write(module, info, None);
    let names = written
        .map_err(|error| error.to_string())?
        .entry_point_names;
    names.into_iter().try_for_each(|name| match name {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    })
}

fn to_glsl(module: &Module, info: &ModuleInfo, entry: &str) -> Result<(), String> {
    let options = glsl::Options {
        version: glsl::Version::Desktop(450),
        ..glsl::Options::default()
    };
    let pipeline = glsl::PipelineOptions {
        shader_stage: ShaderStage::Compute,
        entry_point: entry.to_owned(),
        multiview: None,
    };
    let mut text = String::new();
    let policies = BoundsCheckPolicies::default();
    glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies)
        .and_then(|mut writer| writer.write())
        .map(|_| ())
        .map_err(|error| error.to_string())
}
