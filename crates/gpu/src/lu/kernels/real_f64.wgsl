// The precision of the factors that follow this text.

alias real = f64;
alias complex = vec2<f64>;

const ONE: real = 1.0lf;
