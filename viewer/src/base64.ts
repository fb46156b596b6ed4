function decodeBytes(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function words<T>(text: string, read: (view: DataView, offset: number) => number, store: (count: number) => T & { [index: number]: number }): T {
  const bytes = decodeBytes(text);
  if (bytes.length % 4 !== 0) throw new RangeError(`${bytes.length} bytes are not a whole number of 4-byte values`);
  const view = new DataView(bytes.buffer);
  const values = store(bytes.length / 4);
  for (let i = 0; i < bytes.length / 4; i++) values[i] = read(view, 4 * i);
  return values;
}

/** Little-endian 32-bit floats from base64 text, on a machine of either byte order. */
export function decodeFloat32(text: string): Float32Array<ArrayBuffer> {
  return words(text, (view, offset) => view.getFloat32(offset, true), (count) => new Float32Array(count));
}

/** Little-endian unsigned 32-bit integers from base64 text. */
export function decodeUint32(text: string): Uint32Array<ArrayBuffer> {
  return words(text, (view, offset) => view.getUint32(offset, true), (count) => new Uint32Array(count));
}
