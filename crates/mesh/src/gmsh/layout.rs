use super::domain::{HUYGENS, OUTER};
use super::nest::{Shell, innermost, parents};
use super::{Body, Domain, DomainError, Enclosure, Faces, Interior};
use crate::weld::ExactWeld;
use crate::{BoundingBox, Group, TriangleMesh, primitive};
use wavefield_numerics::vector::{norm, sub};

/// Resolved geometry of a domain.
pub(super) struct Layout {
    pub(super) huygens: Option<Shell>,
    pub(super) air: Shell,
    pub(super) outer: Option<BoundingBox>,
    /// For each body, the body around it.
    pub(super) parents: Vec<Option<usize>>,
    /// For each sheet, the body around it.
    pub(super) hosts: Vec<Option<usize>>,
    pub(super) kept: Kept,
}

/// Surface meshes that Gmsh keeps unchanged, in one mesh with shared points; the tag of a group in the
/// script is its index plus one.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) mesh: TriangleMesh,
    weld: ExactWeld,
    /// Tag of each body.
    pub(super) bodies: Vec<usize>,
    /// Tags of each sheet.
    pub(super) sheets: Vec<Vec<usize>>,
    /// Tags of the Huygens surface, unless it is a box.
    pub(super) huygens: Vec<usize>,
    /// Tags of the outer surface of the air, unless it is a box.
    pub(super) air: Vec<usize>,
}

impl Kept {
    /// Adds a surface as one group, or with its groups, and returns the tags.
    fn add(&mut self, surface: &TriangleMesh, name: Option<&str>) -> Vec<usize> {
        let mut tags = Vec::new();
        let mut group_of_part = vec![None; surface.groups.len()];
        let mut single = None;
        for (t, &part) in surface.group_of.iter().enumerate() {
            let (slot, name) = match name {
                Some(name) => (&mut single, name),
                None => {
                    let part = part as usize;
                    (&mut group_of_part[part], surface.groups[part].name.as_str())
                }
            };
            let group = *slot.get_or_insert_with(|| {
                self.mesh.groups.push(Group::named(name));
                tags.push(self.mesh.groups.len());
                self.mesh.groups.len() as u32 - 1
            });
            let corners = surface.corners(t).map(|corner| self.weld.number(corner));
            self.mesh.triangles.push(corners);
            self.mesh.group_of.push(group);
        }
        tags
    }
}

impl Layout {
    pub(super) fn new(domain: &Domain) -> Result<Self, DomainError> {
        let skins: Vec<&TriangleMesh> = domain.bodies.iter().map(|body| &body.skin).collect();
        let parents = parents(&skins);
        for (body, parent) in domain.bodies.iter().zip(&parents) {
            check_reachable(
                domain,
                *parent,
                &format!("the body with the surface {:?}", body.surface),
            )?;
        }
        let mut hosts = Vec::new();
        for (number, sheet) in (1..).zip(&domain.sheets) {
            // Corners may be on a body that the sheet is connected to; centroids of triangles are not.
            let [a, b, c] = sheet.corners(0);
            let middle = [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
            let host = innermost(&skins, middle);
            check_reachable(domain, host, &format!("sheet {number}"))?;
            hosts.push(host);
        }

        let sheets = domain.sheets.iter();
        let mut inner: Vec<[f64; 3]> = (skins.iter().copied().chain(sheets))
            .flat_map(|surface| surface.points.iter().copied())
            .collect();
        let mut what = "the bodies and sheets";
        let mut huygens = None;
        if let Some(asked) = &domain.huygens {
            let name = "the Huygens surface";
            let shell = shell(&asked.shape, asked.edge, &inner, name)?;
            shell.check_holds(&inner, what, name)?;
            (inner, what) = (shell.points(), name);
            huygens = Some(shell);
        }
        let name = "the air";
        let air = shell(&domain.air, domain.air_edge, &inner, name)?;
        air.check_holds(&inner, what, name)?;
        let outer = match (&air, domain.layer) {
            (_, None) => None,
            (Shell::Box(bounds), Some(layer)) => Some(grown(bounds, layer.thickness)),
            (_, Some(_)) => return Err(DomainError::LayerNeedsBox),
        };

        let mut kept = Kept::default();
        for body in &domain.bodies {
            let tags = kept.add(&body.skin, Some(&body.surface));
            kept.bodies.extend(tags);
        }
        for sheet in &domain.sheets {
            let tags = kept.add(sheet, None);
            kept.sheets.push(tags);
        }
        if let Some(surface) = huygens.as_ref().and_then(Shell::surface) {
            kept.huygens = kept.add(surface, Some(HUYGENS));
        }
        if let Some(surface) = air.surface() {
            let apart = domain.faces == Faces::Apart && matches!(air, Shell::Surface(_));
            kept.air = kept.add(surface, (!apart).then_some(OUTER));
        }
        kept.mesh.points = std::mem::take(&mut kept.weld.points);
        Ok(Self {
            huygens,
            air,
            outer,
            parents,
            hosts,
            kept,
        })
    }
}

fn check_reachable(domain: &Domain, host: Option<usize>, what: &str) -> Result<(), DomainError> {
    match host.map(|host| &domain.bodies[host]) {
        Some(Body {
            interior: Interior::Hollow,
            surface,
            ..
        }) => Err(DomainError::InsideConductor {
            what: what.into(),
            conductor: surface.clone(),
        }),
        _ => Ok(()),
    }
}

/// Resolves an enclosure of the points.
fn shell(
    enclosure: &Enclosure,
    edge: f64,
    inner: &[[f64; 3]],
    what: &'static str,
) -> Result<Shell, DomainError> {
    let bounds = || BoundingBox::of(inner).ok_or(DomainError::NothingInside { what });
    let sphere = |center: [f64; 3], radius: f64| {
        let mut surface = primitive::sphere(radius, edge)?;
        for point in &mut surface.points {
            *point = [0, 1, 2].map(|axis| point[axis] + center[axis]);
        }
        Ok(Shell::Sphere { center, surface })
    };
    match *enclosure {
        Enclosure::BoxAround { margin } => Ok(Shell::Box(grown(&bounds()?, margin))),
        Enclosure::SphereAround { margin } => {
            let center = bounds()?.center();
            let reach = (inner.iter()).fold(0.0_f64, |r, p| r.max(norm(sub(*p, center))));
            sphere(center, reach + margin)
        }
        Enclosure::Box { corner, size } => Ok(Shell::Box(BoundingBox {
            min: corner,
            max: [0, 1, 2].map(|axis| corner[axis] + size[axis]),
        })),
        Enclosure::Sphere { center, radius } => sphere(center, radius),
        Enclosure::Surface(ref surface) => Ok(Shell::Surface(surface.clone())),
    }
}

fn grown(bounds: &BoundingBox, by: f64) -> BoundingBox {
    BoundingBox {
        min: bounds.min.map(|c| c - by),
        max: bounds.max.map(|c| c + by),
    }
}
