#!/usr/bin/env bash
# Runs the tests of kernels, where the unsafe code is, under Valgrind's Memcheck: scalar and AVX2 kernels in turn, since
# Valgrind has no AVX-512. Takes about half an hour; every set of tests must not be empty.
set -euo pipefail
cd "$(dirname "$0")/.."
machine=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')
export "CARGO_TARGET_${machine}_RUNNER=valgrind --quiet --error-exitcode=9 --errors-for-leak-kinds=none"

# With these features and packages the build of the gate serves.
check() {
  local package=$1 target=$2
  shift 2
  echo "== $WAVEFIELD_SIMD: $package"
  # shellcheck disable=SC2086
  cargo test --quiet --features wavefield-cli/mpi -p wavefield-cli -p wavefield-python -p "wavefield-$package" $target -- "$@" | tee "$output"
  if ! grep -Eq '^test result: ok\. [1-9]' "$output"; then
    echo "no test of $package is named so: $*" >&2
    exit 1
  fi
}

output=$(mktemp)
trap 'rm -f "$output"' EXIT
for simd in scalar avx2; do
  export WAVEFIELD_SIMD=$simd
  check numerics --lib kernels a_column_solved_alone factors_are_those singular_matrices estimated_condition
  check nufft '--test sums' engine derivatives upsampling other_sign single_precision every_range
  check dgtd --lib kernels
  check sbr '--test integration' agreement
  check mom2d --lib kernels
  check mom3d --lib kernels
  check holography --lib kernels
done
