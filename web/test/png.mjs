// The pixels of a screenshot: 8-bit RGB or RGBA PNG without interlacing, which is what Chromium writes.
import { inflateSync } from "node:zlib";

export function pixels(png) {
  let width = 0, height = 0, channels = 0;
  const parts = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const kind = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") {
      width = data.readUInt32BE(0);
      height = data.readUInt32BE(4);
      channels = { 2: 3, 6: 4 }[data[9]];
      if (data[8] !== 8 || !channels || data[12] !== 0) throw new Error("unexpected kind of PNG");
    }
    if (kind === "IDAT") parts.push(data);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const out = Buffer.alloc(row * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (row + 1)];
    for (let i = 0; i < row; ++i) {
      const left = i >= channels ? out[y * row + i - channels] : 0;
      const up = y ? out[(y - 1) * row + i] : 0;
      const corner = y && i >= channels ? out[(y - 1) * row + i - channels] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[y * row + i] = (raw[y * (row + 1) + 1 + i] + guess) & 255;
    }
  }
  return { width, height, at: (x, y) => out.subarray((y * width + x) * channels, (y * width + x) * channels + 3) };
}

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}
