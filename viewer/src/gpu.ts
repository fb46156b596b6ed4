/** A linked shader program with its uniforms by name. */
export interface Program {
  readonly handle: WebGLProgram;
  readonly uniform: (name: string) => WebGLUniformLocation | null;
}

/** Vertex data on the GPU. */
export interface Drawable {
  readonly vertexArray: WebGLVertexArrayObject;
  readonly buffers: readonly WebGLBuffer[];
  readonly count: number;
}

function compile(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader {
  const shader = gl.createShader(kind);
  if (shader === null) throw new Error("the graphics context is lost");
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
    throw new Error(`shader: ${gl.getShaderInfoLog(shader) ?? "no message"}`);
  }
  return shader;
}

export function createProgram(gl: WebGL2RenderingContext, vertexSource: string, fragmentSource: string): Program {
  const handle = gl.createProgram();
  gl.attachShader(handle, compile(gl, gl.VERTEX_SHADER, vertexSource));
  gl.attachShader(handle, compile(gl, gl.FRAGMENT_SHADER, fragmentSource));
  gl.linkProgram(handle);
  if (!gl.getProgramParameter(handle, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`shader program: ${gl.getProgramInfoLog(handle) ?? "no message"}`);
  }
  const locations = new Map<string, WebGLUniformLocation | null>();
  const uniform = (name: string): WebGLUniformLocation | null => {
    let location = locations.get(name);
    if (location === undefined) {
      location = gl.getUniformLocation(handle, name);
      locations.set(name, location);
    }
    return location;
  };
  return { handle, uniform };
}

function upload(gl: WebGL2RenderingContext, target: number, data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): WebGLBuffer {
  const buffer = gl.createBuffer();
  gl.bindBuffer(target, buffer);
  gl.bufferData(target, data, gl.STATIC_DRAW);
  return buffer;
}

/** Surface vertices; without `levels` the shape takes its plain color, without `indices` vertices come in threes. */
export function uploadSurface(
  gl: WebGL2RenderingContext,
  surface: {
    positions: Float32Array<ArrayBuffer>;
    normals: Float32Array<ArrayBuffer>;
    levels?: Float32Array<ArrayBuffer>;
    indices?: Uint32Array<ArrayBuffer>;
  },
): Drawable {
  const vertexArray = gl.createVertexArray();
  gl.bindVertexArray(vertexArray);
  const buffers: WebGLBuffer[] = [];
  const attribute = (location: number, size: number, data: Float32Array<ArrayBuffer>): void => {
    buffers.push(upload(gl, gl.ARRAY_BUFFER, data));
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
  };
  attribute(0, 3, surface.positions);
  attribute(1, 3, surface.normals);
  const levels = surface.levels ?? new Float32Array(surface.positions.length / 3).fill(-1);
  attribute(2, 1, levels);
  if (surface.indices !== undefined) buffers.push(upload(gl, gl.ELEMENT_ARRAY_BUFFER, surface.indices));
  gl.bindVertexArray(null);
  return { vertexArray, buffers, count: surface.indices?.length ?? surface.positions.length / 3 };
}

/** Line segments, one instance each. */
export function uploadSegments(gl: WebGL2RenderingContext, segments: Float32Array<ArrayBuffer>): Drawable {
  const vertexArray = gl.createVertexArray();
  gl.bindVertexArray(vertexArray);
  const buffer = upload(gl, gl.ARRAY_BUFFER, segments);
  for (const location of [0, 1]) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 24, 12 * location);
    gl.vertexAttribDivisor(location, 1);
  }
  gl.bindVertexArray(null);
  return { vertexArray, buffers: [buffer], count: segments.length / 6 };
}

export function release(gl: WebGL2RenderingContext, drawable: Drawable | null): void {
  if (drawable === null) return;
  gl.deleteVertexArray(drawable.vertexArray);
  for (const buffer of drawable.buffers) gl.deleteBuffer(buffer);
}
