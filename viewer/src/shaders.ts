/** Lit surfaces: pattern, meshes and arrows. */
export const SURFACE_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float level;
uniform mat4 viewProjection;
out vec3 worldPosition;
out vec3 worldNormal;
out float surfaceLevel;
out vec3 cornerWeights;
invariant gl_Position;
void main() {
  worldPosition = position;
  worldNormal = normal;
  surfaceLevel = level;
  int corner = gl_VertexID % 3;
  cornerWeights = vec3(corner == 0, corner == 1, corner == 2);
  gl_Position = viewProjection * vec4(position, 1.0);
}`;

/**
 * The light stands over the viewer's left shoulder. It only shades: it leaves the hue, so that a color can be
 * found again on the color bar. Contour lines and triangle edges keep their width in pixels through the
 * screen derivatives, and edges fade where triangles are only a few pixels wide. A translucent surface is clearest where it is seen face on, like glass.
 */
export const SURFACE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 worldPosition;
in vec3 worldNormal;
in float surfaceLevel;
in vec3 cornerWeights;
uniform sampler2D colorMap;
uniform vec3 eye;
uniform vec3 light;
uniform vec3 plainColor;
uniform vec3 edgeColor;
uniform float opacity;
uniform float edgeWidth;
uniform float gloss;
uniform vec2 contour;
out vec4 pixel;
void main() {
  vec3 towardsEye = normalize(eye - worldPosition);
  vec3 facing = normalize(worldNormal + 1e-6 * towardsEye);
  if (dot(facing, towardsEye) < 0.0) facing = -facing;
  vec3 color = surfaceLevel < 0.0
    ? plainColor
    : texture(colorMap, vec2((surfaceLevel * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  float lit = 0.5 + 0.5 * dot(facing, light);
  float shine = pow(max(dot(facing, normalize(light + towardsEye)), 0.0), 40.0);
  float rim = pow(1.0 - max(dot(facing, towardsEye), 0.0), 3.0);
  color = color * (0.66 + 0.39 * lit) + gloss * shine + 0.06 * rim;
  if (contour.y > 0.0) {
    float line = surfaceLevel / contour.y + contour.x;
    float width = fwidth(line);
    float distanceInPixels = abs(line - round(line)) / max(width, 1e-6);
    float strength = (1.0 - smoothstep(0.4, 1.2, distanceInPixels)) * (1.0 - smoothstep(0.15, 0.45, width));
    if (surfaceLevel > 0.001 && surfaceLevel < 0.999) color = mix(color, edgeColor, 0.34 * strength);
  }
  if (edgeWidth > 0.0) {
    vec3 perPixel = max(fwidth(cornerWeights), vec3(1e-6));
    vec3 pixels = cornerWeights / perPixel;
    float nearest = min(pixels.x, min(pixels.y, pixels.z));
    float crowding = smoothstep(0.06, 0.5, max(perPixel.x, max(perPixel.y, perPixel.z)));
    float strength = (1.0 - smoothstep(edgeWidth - 0.5, edgeWidth + 0.5, nearest)) * mix(0.8, 0.2, crowding);
    color = mix(color, edgeColor, strength);
  }
  float cover = mix(1.0, opacity, pow(max(dot(facing, towardsEye), 0.0), 0.7));
  pixel = vec4(min(color, 1.0) * cover, cover);
}`;

/** Lines of a width in pixels: every instance is one segment, widened to a quad on the screen. */
export const LINE_VERTEX = `#version 300 es
layout(location = 0) in vec3 start;
layout(location = 1) in vec3 end;
uniform mat4 viewProjection;
uniform vec2 pictureSize;
uniform float width;
void main() {
  vec4 a = viewProjection * vec4(start, 1.0);
  vec4 b = viewProjection * vec4(end, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * pictureSize;
  vec2 across = length(along) > 1e-6 ? normalize(vec2(-along.y, along.x)) : vec2(0.0);
  vec4 here = gl_VertexID < 2 ? a : b;
  float side = gl_VertexID % 2 == 0 ? -1.0 : 1.0;
  here.xy += across * side * width / pictureSize * here.w;
  gl_Position = here;
}`;

export const LINE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 color;
out vec4 pixel;
void main() {
  pixel = vec4(color.rgb * color.a, color.a);
}`;
