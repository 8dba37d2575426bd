// Colours carry meaning: computation is quiet, each class of MPI has a hue of the
// Okabe-Ito set, which colour-blind readers tell apart, and waiting is a warm hatch.
// A user's function has a hue from its name, the same in every run.

import { CLASS } from "./protocol";

export type Theme = "light" | "dark";

export interface Palette {
  theme: Theme;
  background: string;
  band: string;
  classes: string[];
  waiting: string;
  faded: string;
  stripe: string;
  text: string;
  quiet: string;
  line: string;
  arrow: string;
  reversed: string;
  path: string;
  select: string;
  cause: string;
}

// By class number: computation, point-to-point, collective, one-sided, I/O, management, parallel, unrecorded, nothing.
export const PALETTES: Record<Theme, Palette> = {
  light: {
    theme: "light",
    background: "#ffffff",
    band: "#f4f6f9",
    classes: ["#c3cddb", "#0072b2", "#cc79a7", "#009e73", "#e6d62e", "#56b4e9", "#9c755f", "#e8eaed", "#ffffff"],
    waiting: "#cf6a00",
    faded: "#eceff3",
    stripe: "#b9bfc8",
    text: "#1c2530",
    quiet: "#5b6775",
    line: "#dde2e9",
    arrow: "#2b3542",
    reversed: "#c8102e",
    path: "#c79a00",
    select: "#1a5fd0",
    cause: "#a34a00",
  },
  dark: {
    theme: "dark",
    background: "#12171e",
    band: "#171d26",
    classes: ["#4b5a70", "#3c9bdc", "#b8639a", "#22b58b", "#e3d44c", "#7cc7f2", "#b48a72", "#232a34", "#12171e"],
    waiting: "#ffb454",
    faded: "#1f2731",
    stripe: "#4a5563",
    text: "#e8edf3",
    quiet: "#9aa7b6",
    line: "#2a333f",
    arrow: "#d5dde8",
    reversed: "#ff5a6e",
    path: "#ffd23e",
    select: "#7db2ff",
    cause: "#ffb25c",
  },
};

/** Returns the colour of a region: a user's function by its name, MPI by its class. */
export function regionColour(name: string, cls: number, palette: Palette): string {
  if (cls !== CLASS.computation) return palette.classes[cls] ?? palette.faded;
  const [lightness, chroma] = palette.theme === "light" ? [0.84, 0.042] : [0.45, 0.045];
  return oklch(lightness, chroma, hueOf(name));
}

/** From green to violet; the rest of the circle belongs to waiting, violations and collective operations. */
const HUES = [110, 310] as const;

/** Returns an angle from a name (FNV-1a, spread over the hues). */
export function hueOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  const spread = (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 32;
  return HUES[0] + spread * (HUES[1] - HUES[0]);
}

/** Returns `#rrggbb` of a colour of even lightness (Ottosson, "A perceptual color space", 2020). */
function oklch(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const byte = (c: number) => {
    const srgb = c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, srgb)));
  };
  return `#${linear.map((c) => byte(c).toString(16).padStart(2, "0")).join("")}`;
}

/** Returns a colour as the number that a little-endian Uint32Array over RGBA bytes holds. */
export function packed(colour: string): number {
  const value = parseInt(colour.slice(1), 16);
  return ((0xff << 24) | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

/** Returns black or white, whichever reads better on a colour. */
export function textOn(colour: string): string {
  const channel = (shift: number) => {
    const c = ((parseInt(colour.slice(1), 16) >> shift) & 0xff) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0);
  return (luminance + 0.05) ** 2 > 0.05 * 1.05 ? "#10161d" : "#ffffff";
}
