//! The CPU: thread pool of a chosen size and run-time detection of SIMD instruction sets.

use std::fmt;
use std::sync::{Arc, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

/// SIMD instruction set; [`InstructionSet`](crate::simd::InstructionSet) runs kernels with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simd {
    /// 512-bit vectors on x86-64: AVX-512 F, BW, DQ, and VL.
    Avx512,
    /// 256-bit vectors with fused multiply-add on x86-64.
    Avx2,
    /// 128-bit vectors on 64-bit Arm.
    Neon,
    /// No SIMD instructions that Wavefield uses.
    Scalar,
}

impl Simd {
    /// Returns the widest instruction set of this CPU. For tests, `WAVEFIELD_SIMD=scalar` or `avx2` selects a narrower
    /// one.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        static WIDEST: OnceLock<Simd> = OnceLock::new();
        *WIDEST.get_or_init(|| {
            let limit = std::env::var("WAVEFIELD_SIMD");
            match (limit.as_deref(), Self::of_cpu()) {
                (Ok("scalar"), _) => Self::Scalar,
                (Ok("avx2"), Self::Avx512) => Self::Avx2,
                (_, widest) => widest,
            }
        })
    }

    fn of_cpu() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected;
            // Tests every feature that kernels enable, so that no other combination of features
            // reaches them.
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                let wide = is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl");
                return if wide { Self::Avx512 } else { Self::Avx2 };
            }
        }
        #[cfg(target_arch = "aarch64")]
        {
            if std::arch::is_aarch64_feature_detected!("neon") {
                return Self::Neon;
            }
        }
        Self::Scalar
    }
}

impl fmt::Display for Simd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Avx512 => "AVX-512",
            Self::Avx2 => "AVX2",
            Self::Neon => "NEON",
            Self::Scalar => "scalar",
        })
    }
}

/// Properties of the CPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuInfo {
    /// Brand name, if the CPU reports one.
    pub brand: Option<String>,
    /// Hardware threads available to this process.
    pub logical_cores: usize,
    /// Widest usable SIMD instruction set.
    pub simd: Simd,
}

impl CpuInfo {
    /// Detects the CPU of this process.
    #[must_use]
    pub fn detect() -> Self {
        Self {
            brand: brand(),
            logical_cores: std::thread::available_parallelism().map_or(1, usize::from),
            simd: Simd::detect(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn brand() -> Option<String> {
    use std::arch::x86_64::__cpuid;
    // CPUID leaves 0x80000002 to 0x80000004 hold the 48 bytes of the brand string; leaf 0x80000000
    // tells whether they exist.
    if __cpuid(0x8000_0000).eax < 0x8000_0004 {
        return None;
    }
    let bytes: Vec<u8> = (0x8000_0002..=0x8000_0004_u32)
        .map(__cpuid)
        .flat_map(|leaf| [leaf.eax, leaf.ebx, leaf.ecx, leaf.edx])
        .flat_map(u32::to_le_bytes)
        .take_while(|&byte| byte != 0)
        .collect();
    let text = String::from_utf8_lossy(&bytes);
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(not(target_arch = "x86_64"))]
fn brand() -> Option<String> {
    None
}

/// Failure to start a thread pool.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot start a pool of {threads} threads: {message}")]
pub struct PoolError {
    /// Requested number of threads.
    pub threads: usize,
    /// Error message of the operating system.
    pub message: String,
}

/// A thread pool; clones share the threads.
#[derive(Debug, Clone)]
pub struct CpuPool {
    threads: Arc<ThreadPool>,
}

/// Maximum threads of a pool per hardware thread: enough for tests, and a bound on oversubscription.
const MAX_PER_CORE: usize = 16;

impl CpuPool {
    /// Starts a pool of `threads` threads; default: one per hardware thread.
    ///
    /// # Errors
    /// Returns [`PoolError`] if the number is zero or too large, or if the operating system cannot
    /// start the threads.
    pub fn new(threads: Option<usize>) -> Result<Self, PoolError> {
        let threads = threads.unwrap_or_else(|| CpuInfo::detect().logical_cores);
        let refused = |message: String| PoolError { threads, message };
        if threads == 0 {
            return Err(refused("use at least 1 thread".to_owned()));
        }
        let most = MAX_PER_CORE * CpuInfo::detect().logical_cores;
        if threads > most {
            return Err(refused(format!("use at most {most} on this machine")));
        }
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("wavefield-{index}"))
            .build()
            .map_err(|error| refused(error.to_string()))?;
        Ok(Self {
            threads: Arc::new(pool),
        })
    }

    /// Returns the number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Runs `work` inside the pool, so that its rayon iterators use these threads.
    pub fn install<V: Send>(&self, work: impl FnOnce() -> V + Send) -> V {
        self.threads.install(work)
    }

    /// Returns one line for result files: CPU, SIMD instruction set, threads.
    #[must_use]
    pub fn describe(&self) -> String {
        let info = CpuInfo::detect();
        let brand = info.brand.as_deref().unwrap_or(std::env::consts::ARCH);
        let threads = self.threads();
        let plural = if threads == 1 { "" } else { "s" };
        format!("cpu: {brand}, {}, {threads} thread{plural}", info.simd)
    }
}
