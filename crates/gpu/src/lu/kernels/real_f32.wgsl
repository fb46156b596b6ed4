// Precision of the LU kernels that follow.

alias real = f32;
alias complex = vec2<f32>;

const ONE: real = 1.0;
