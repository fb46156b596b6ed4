#!/usr/bin/env bash
# Runs the tests of kernels, where the unsafe code is, under Valgrind's Memcheck: scalar and AVX2 kernels in turn, since
# Valgrind has no AVX-512. Arguments are passed on to Cargo, such as `-p wavefield-nufft`; without any, all crates are tested.
set -euo pipefail
cd "$(dirname "$0")/.."
machine=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')
export "CARGO_TARGET_${machine}_RUNNER=valgrind --quiet --error-exitcode=9 --errors-for-leak-kinds=none"
crates=("$@")
if [ "$#" = 0 ]; then
  for folder in $(grep -rlE --include='*.rs' 'unsafe (\{|fn|impl)|dispatch!' crates/*/src | cut -d/ -f1,2 | sort -u); do
    crates+=(-p "$(sed -n 's/^name = "\(.*\)"$/\1/p' "$folder/Cargo.toml" | head -n 1)")
  done
fi
for simd in scalar avx2; do
  echo "== $simd"
  WAVEFIELD_SIMD=$simd cargo test --features wavefield-cli/mpi -p wavefield-cli --lib "${crates[@]}" kernels
done
