// Precision of the FFT kernels that follow.

alias real = f32;
alias complex = vec2<f32>;

const SQRT_HALF: real = 0.70710678118654752440;
const SIN_60: real = 0.86602540378443864676;
const COS_72: real = 0.30901699437494742410;
const SIN_72: real = 0.95105651629515357212;
const COS_144: real = -0.80901699437494742410;
const SIN_144: real = 0.58778525229247312917;
const HALF: real = 0.5;
const ZERO: real = 0.0;
