// Precision of the FFT kernels that follow.

alias real = f64;
alias complex = vec2<f64>;

const SQRT_HALF: real = 0.70710678118654752440lf;
const SIN_60: real = 0.86602540378443864676lf;
const COS_72: real = 0.30901699437494742410lf;
const SIN_72: real = 0.95105651629515357212lf;
const COS_144: real = -0.80901699437494742410lf;
const SIN_144: real = 0.58778525229247312917lf;
const HALF: real = 0.5lf;
const ZERO: real = 0.0lf;
