/* Makes pictures of the page small: a PNG of 8 bits for each channel, as browsers write
   it, becomes one with a palette of at most 256 colours, which are all that such pictures
   need: those used most, after rounding; every other one becomes the nearest of them.
   Format: RFC 2083. */

import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

export function shrink(png) {
  const { width, height, pixels } = read(png);
  const { palette, indices } = choose(pixels);
  const rows = Buffer.alloc(height * (width + 1)); /* each row begins with filter 0: none */
  for (let y = 0; y < height; y++) rows.set(indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("PLTE", Buffer.from(palette.flat())),
    chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/* -> pixels as numbers 0xRRGGBB */
function read(png) {
  let header = null;
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === "IHDR") header = data;
    if (type === "IDAT") parts.push(data);
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const size = { 2: 3, 6: 4 }[header[9]];
  if (header[8] !== 8 || !size || header[12] !== 0) throw new Error("a PNG of another kind");
  const bytes = unfilter(inflateSync(Buffer.concat(parts)), width * size, height, size);
  const pixels = new Uint32Array(width * height);
  for (let i = 0; i < pixels.length; i++) pixels[i] = (bytes[i * size] << 16) | (bytes[i * size + 1] << 8) | bytes[i * size + 2];
  return { width, height, pixels };
}

/* Rows are differences to the left, above, their mean, or Paeth's choice (RFC 2083, 6). */
function unfilter(data, stride, height, size) {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= size ? out[at - size] : 0;
      const up = y > 0 ? out[at - stride] : 0;
      const corner = x >= size && y > 0 ? out[at - stride - size] : 0;
      out[at] = data[y * (stride + 1) + 1 + x] + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

const channels = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/* Colours that fill much stay as they are; of the others, rounded ones count. */
function choose(pixels) {
  const exact = count(pixels, (pixel) => pixel);
  const large = exact.filter(([, times]) => times > pixels.length / 2000).map(([colour]) => colour);
  const rounded = count(pixels, (pixel) => (pixel & 0xf0f0f0) | 0x080808).map(([colour]) => colour);
  const colours = [...new Set([...large.slice(0, 128), ...rounded])].slice(0, 256);
  const palette = colours.map(channels);
  const found = new Map(colours.map((colour, index) => [colour, index]));
  const indices = Uint8Array.from(pixels, (pixel) => {
    if (!found.has(pixel)) found.set(pixel, nearest(palette, channels(pixel)));
    return found.get(pixel);
  });
  return { palette, indices };
}

/* [[value, times], …], the most frequent first */
function count(pixels, of) {
  const times = new Map();
  for (const pixel of pixels) times.set(of(pixel), (times.get(of(pixel)) ?? 0) + 1);
  return [...times].sort((one, other) => other[1] - one[1]);
}

function nearest(palette, [red, green, blue]) {
  let best = 0;
  let least = Infinity;
  palette.forEach(([r, g, b], index) => {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}
