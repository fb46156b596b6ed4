// Precision of the LU kernels that follow.

alias real = f64;
alias complex = vec2<f64>;

const ONE: real = 1.0lf;
