//! Surface currents on the mesh of the three-dimensional view.

use super::{Array, Outcome, SurfaceQuantity, selection};

/// Dynamic range below the maximum, dB.
const DEPTH: f64 = 40.0;

impl Outcome {
    /// Adds the magnitude of the surface current at several frequencies to the last mesh of the view: in decibels relative
    /// to its maximum at each frequency. Returns the maximum at the frequency `shown`, which comes first.
    pub fn show_current(
        &mut self,
        name: &str,
        frequencies: &[f64],
        shown: usize,
        magnitudes: impl Fn(usize) -> Vec<f64>,
    ) -> f64 {
        let mut maximum = 0.0;
        let mut quantities = Vec::new();
        for (number, frequency) in selection::choices(frequencies, shown) {
            let values = magnitudes(number);
            let largest = values.iter().copied().fold(0.0, f64::max);
            let array = format!("current/decibels_{number}");
            let decibels = values.iter().map(|value| 20.0 * (value / largest).log10());
            self.arrays.push(Array::real(&array, decibels.collect()));
            let quantity = SurfaceQuantity {
                name: format!("{name} at {frequency}, relative to its maximum"),
                unit: "dB".to_owned(),
                array,
                range: (-DEPTH, 0.0),
                option: Some(frequency),
            };
            if number == shown {
                maximum = largest;
                quantities.insert(0, quantity);
            } else {
                quantities.push(quantity);
            }
        }
        if let Some(mesh) = self.view.meshes.last_mut() {
            mesh.quantities = quantities;
        }
        maximum
    }
}

#[cfg(test)]
mod tests {
    use wavefield_mesh::TriangleMesh;

    use super::*;

    #[test]
    fn currents_are_relative_to_their_maximum_at_each_frequency() {
        let mut outcome = Outcome::default();
        let mesh = TriangleMesh::single_group(vec![[0.0; 3]; 3], vec![[0, 1, 2]; 2], "body");
        outcome.show_mesh("body", &mesh);
        let magnitudes = |number: usize| vec![0.0, [3.0, 5.0][number]];
        let maximum = outcome.show_current("current", &[1e9, 2e9], 1, magnitudes);
        assert_eq!(maximum, 5.0);
        let quantities = &outcome.view.meshes[0].quantities;
        let options: Vec<_> = quantities.iter().map(|q| q.option.as_deref()).collect();
        assert_eq!(options, [Some("2 GHz"), Some("1 GHz")]);
        for quantity in quantities {
            let levels = outcome.array(&quantity.array).and_then(Array::as_real);
            assert_eq!(levels, Some(&[f64::NEG_INFINITY, 0.0][..]));
            assert_eq!(
                (quantity.range, quantity.unit.as_str()),
                ((-40.0, 0.0), "dB")
            );
        }
    }
}
