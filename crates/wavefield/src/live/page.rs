//! Live page: markup, style, and script in one file, with the style of reports.

use std::sync::LazyLock;

use wavefield_report::STYLE;

/// The page as served.
pub(super) static PAGE: LazyLock<String> = LazyLock::new(|| {
    include_str!("page.html")
        .replace("{report_style}", STYLE)
        .replace("{style}", include_str!("page.css"))
        .replace("{script}", include_str!("page.js"))
        .replace("{version}", env!("CARGO_PKG_VERSION"))
});
