// Points and directions in the precision of phases.

const THREADS: u32 = 64u;

struct Place {
    x: real,
    y: real,
    z: real,
}

fn narrowed(p: Place) -> vec3<f32> {
    return vec3<f32>(narrow(p.x), narrow(p.y), narrow(p.z));
}

fn difference(a: Place, b: Place) -> Place {
    return Place(minus(a.x, b.x), minus(a.y, b.y), minus(a.z, b.z));
}

fn inner(a: Place, b: Place) -> real {
    return plus(plus(times(a.x, b.x), times(a.y, b.y)), times(a.z, b.z));
}
