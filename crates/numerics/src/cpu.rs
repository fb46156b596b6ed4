//! The CPU: a thread pool of a chosen size, and what its cores can do.

use std::{fmt, sync::Arc};

use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

/// Vector instructions; [`InstructionSet`](crate::simd::InstructionSet) runs hot loops with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simd {
    /// 512-bit vectors on x86-64: AVX-512 F, BW, DQ, and VL.
    Avx512,
    /// 256-bit vectors with fused multiply-add on x86-64.
    Avx2,
    /// 128-bit vectors on 64-bit Arm.
    Neon,
    /// No vector instructions this program uses.
    Scalar,
}

impl Simd {
    /// Returns the widest that this CPU has.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected;
            // Whatever kernels enable, so that no other combination of features leads to them.
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

/// What is known about the processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CpuInfo {
    /// The maker's name for it, where the processor tells.
    pub brand: Option<String>,
    /// Hardware threads this process may use.
    pub logical_cores: usize,
    /// Widest usable vector instructions.
    pub simd: Simd,
}

impl CpuInfo {
    /// Asks the processor this program runs on.
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
    // Leaves 0x80000002 to 0x80000004 hold 48 bytes of text; 0x80000000 says whether they exist.
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

/// A thread pool that could not be started.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a pool of {threads} threads could not be started: {message}")]
pub struct PoolError {
    /// Requested number of threads.
    pub threads: usize,
    /// What the system said.
    pub message: String,
}

/// A pool of threads; cloning it shares the threads.
#[derive(Debug, Clone)]
pub struct CpuPool {
    threads: Arc<ThreadPool>,
}

/// Most threads of a pool for each hardware thread: enough to test with, too few to choke a machine.
const MOST_PER_CORE: usize = 16;

impl CpuPool {
    /// Starts a pool of `threads` threads, or one per hardware thread.
    ///
    /// # Errors
    /// When the number is zero or the system refuses.
    pub fn new(threads: Option<usize>) -> Result<Self, PoolError> {
        let threads = threads.unwrap_or_else(|| CpuInfo::detect().logical_cores);
        let refused = |message: String| PoolError { threads, message };
        if threads == 0 {
            return Err(refused("at least one thread is needed".to_owned()));
        }
        let most = MOST_PER_CORE * CpuInfo::detect().logical_cores;
        if threads > most {
            return Err(refused(format!(
                "at most {most} make sense on this machine"
            )));
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

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// Runs `work` inside the pool, so that every rayon iterator in it uses these threads.
    pub fn install<V: Send>(&self, work: impl FnOnce() -> V + Send) -> V {
        self.threads.install(work)
    }

    /// One line for result files: processor, vector instructions, threads.
    #[must_use]
    pub fn describe(&self) -> String {
        let info = CpuInfo::detect();
        let brand = info.brand.as_deref().unwrap_or(std::env::consts::ARCH);
        let threads = self.threads();
        let plural = if threads == 1 { "" } else { "s" };
        format!("cpu: {brand}, {}, {threads} thread{plural}", info.simd)
    }
}
