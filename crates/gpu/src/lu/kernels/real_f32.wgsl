// The precision of the factors that follow this text.

alias real = f32;
alias complex = vec2<f32>;

const ONE: real = 1.0;
