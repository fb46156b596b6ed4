//! Color maps, generated as curves in OKLab (Ottosson 2020, <https://bottosson.github.io/posts/oklab/>)
//! with uniform arc-length steps, hence perceptually uniform.

use std::f64::consts::TAU;

/// Number of colors of a map.
pub(super) const STEPS: usize = 255;

/// Number of segments for the arc length of a curve.
const SEGMENTS: usize = 2048;

/// Lightness and the two color axes of OKLab.
type Lab = [f64; 3];

/// A color in sRGB.
pub(super) type Rgb = [u8; 3];

/// Returns the sequential map from dark violet through teal and green to light yellow. Lightness
/// increases uniformly, so the map is valid for color-blind readers and in grayscale print; the 3-D
/// view uses the same colors.
pub(super) fn sequential() -> Vec<Rgb> {
    walked(sequential_curve, (STEPS - 1) as f64)
}

/// Returns the cyclic map through all hues, light yellow in the middle and dark blue at both ends.
pub(super) fn cyclic() -> Vec<Rgb> {
    walked(cyclic_curve, STEPS as f64)
}

/// Returns the diverging map from dark blue through near white to dark red. Both halves have the same lightness and chroma
/// at the same distance from the middle.
pub(super) fn diverging() -> Vec<Rgb> {
    walked(diverging_curve, (STEPS - 1) as f64)
}

fn sequential_curve(t: f64) -> Lab {
    /// Chroma along the curve: the largest inside sRGB with a margin.
    const CHROMA: [f64; 9] = [
        0.132, 0.124, 0.112, 0.099, 0.094, 0.108, 0.132, 0.148, 0.158,
    ];
    let position = t * (CHROMA.len() - 1) as f64;
    let index = (position as usize).min(CHROMA.len() - 2);
    let fraction = position - index as f64;
    let smooth = fraction * fraction * (3.0 - 2.0 * fraction);
    let chroma = CHROMA[index] * (1.0 - smooth) + CHROMA[index + 1] * smooth;
    polar(0.3 + 0.63 * t, chroma, (302.0 - 202.0 * t).to_radians())
}

fn cyclic_curve(t: f64) -> Lab {
    let (yellow, cyan) = (100f64.to_radians(), 205f64.to_radians());
    let hue = yellow + TAU * (t - 0.5);
    // The sRGB gamut is narrowest at cyan.
    let chroma = 0.128 - 0.022 * (hue - cyan).cos();
    polar(0.68 + 0.14 * (hue - yellow).cos(), chroma, hue)
}

fn diverging_curve(t: f64) -> Lab {
    let side = 2.0 * t - 1.0;
    let away = side.abs();
    let hue: f64 = if side < 0.0 { 255.0 } else { 27.0 };
    // Chroma grows from zero in the middle and stays inside the sRGB gamut of both hues.
    let chroma = 0.26 * away * (1.0 - 0.5 * away);
    polar(0.97 - 0.53 * away, chroma, hue.to_radians())
}

fn polar(lightness: f64, chroma: f64, hue: f64) -> Lab {
    [lightness, chroma * hue.cos(), chroma * hue.sin()]
}

/// Returns colors at equal distances along a curve over 0 ≤ t ≤ 1 of `intervals` steps.
fn walked(curve: fn(f64) -> Lab, intervals: f64) -> Vec<Rgb> {
    let at = |segment: f64| curve(segment / SEGMENTS as f64);
    let mut traveled = vec![0.0];
    for segment in 0..SEGMENTS {
        let (from, to) = (at(segment as f64), at(segment as f64 + 1.0));
        traveled.push(traveled[segment] + distance(from, to));
    }
    (0..STEPS)
        .map(|step| {
            let target = traveled[SEGMENTS] * step as f64 / intervals;
            let segment = traveled
                .partition_point(|&length| length < target)
                .clamp(1, SEGMENTS)
                - 1;
            let fraction =
                (target - traveled[segment]) / (traveled[segment + 1] - traveled[segment]);
            srgb(at(segment as f64 + fraction))
        })
        .collect()
}

fn distance(p: Lab, q: Lab) -> f64 {
    (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt()
}

/// Converts OKLab to linear sRGB.
fn linear_rgb([lightness, a, b]: Lab) -> [f64; 3] {
    let l = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let m = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let s = (lightness - 0.0894841775 * a - 1.2914855480 * b).powi(3);
    [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
}

fn srgb(color: Lab) -> Rgb {
    linear_rgb(color).map(|light| {
        let encoded = if light <= 0.0031308 {
            12.92 * light
        } else {
            1.055 * light.powf(1.0 / 2.4) - 0.055
        };
        (encoded * 255.0).round().clamp(0.0, 255.0) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the luminance by IEC 61966-2-1, independent of OKLab.
    fn luminance(color: Rgb) -> f64 {
        let [r, g, b] = color.map(|value| {
            let encoded = f64::from(value) / 255.0;
            if encoded <= 0.04045 {
                encoded / 12.92
            } else {
                ((encoded + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn difference(p: Rgb, q: Rgb) -> f64 {
        (0..3)
            .map(|i| (f64::from(p[i]) - f64::from(q[i])).powi(2))
            .sum::<f64>()
            .sqrt()
    }

    #[test]
    fn lightness_of_the_sequential_map_rises() {
        let colors = sequential();
        assert_eq!(colors.len(), STEPS);
        assert!(
            // Rounding to bytes changes the luminance by less than this.
            colors
                .windows(2)
                .all(|w| luminance(w[1]) > luminance(w[0]) - 2e-4)
        );
        // Over eight colors the order is unambiguous.
        assert!(colors.windows(9).all(|w| luminance(w[8]) > luminance(w[0])));
        assert!(luminance(colors[0]) < 0.05 && luminance(colors[STEPS - 1]) > 0.7);
    }

    #[test]
    fn halves_of_the_diverging_map_darken_alike() {
        let colors = diverging();
        let middle = STEPS / 2;
        assert!(luminance(colors[middle]) > 0.85);
        for step in 1..=middle {
            let (below, above) = (
                luminance(colors[middle - step]),
                luminance(colors[middle + step]),
            );
            // Equal OKLab lightness of blue and red differs in CIE luminance by this much.
            assert!((below - above).abs() < 0.06, "{step}: {below} {above}");
        }
        let falls = |half: &mut dyn Iterator<Item = Rgb>| {
            half.map(luminance)
                .collect::<Vec<_>>()
                .windows(9)
                .all(|w| w[8] < w[0])
        };
        assert!(falls(&mut colors[middle..].iter().copied()));
        assert!(falls(&mut colors[..=middle].iter().rev().copied()));
    }

    #[test]
    fn ends_of_the_cyclic_map_meet() {
        let colors = cyclic();
        let largest = colors
            .windows(2)
            .map(|w| difference(w[0], w[1]))
            .fold(0.0, f64::max);
        assert!(difference(colors[0], colors[STEPS - 1]) <= largest);
        // Opposite phases are distinct everywhere.
        let half = STEPS / 2;
        assert!((0..half).all(|i| difference(colors[i], colors[i + half]) > 80.0));
    }

    #[test]
    fn every_color_lies_inside_srgb() {
        for curve in [sequential_curve, diverging_curve, cyclic_curve] {
            for step in 0..=1000 {
                let light = linear_rgb(curve(f64::from(step) / 1000.0));
                assert!(
                    // Rounding margin of a byte.
                    light.iter().all(|v| (0.0..1.017).contains(v)),
                    "{step}: {light:?}"
                );
            }
        }
    }
}
