//! Correction for making several comparisons at once.

/// Returns Holm's adjusted p-values, in the order of the given ones.
///
/// Rejecting where the adjusted value is at most 5 % makes any false rejection at all at most 5 % likely.
///
/// ```
/// use lydian_metrics::multiple::holm;
/// assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut floor = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        floor = floor
            .max((p_values.len() - rank) as f64 * p_values[index])
            .min(1.0);
        adjusted[index] = floor;
    }
    adjusted
}
