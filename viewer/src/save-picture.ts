import { element } from "./controls";

/** Lays canvases over a plain ground and hands the picture to the reader as a PNG file. */
export function savePicture(layers: readonly HTMLCanvasElement[], background: string, fileName: string): void {
  const canvas = element("canvas");
  canvas.width = layers[0].width;
  canvas.height = layers[0].height;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.fillStyle = background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const layer of layers) context.drawImage(layer, 0, 0);
  canvas.toBlob((blob) => {
    if (blob === null) return;
    const address = URL.createObjectURL(blob);
    element("a", { href: address, download: fileName }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }, "image/png");
}

/** A file name from the names of what is shown. */
export function pictureFileName(parts: readonly string[]): string {
  const words = ["wavefield", ...parts].map((part) => part.trim().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, ""));
  return `${words.filter((word) => word !== "").join("-")}.png`;
}
