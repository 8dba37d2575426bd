// A small curve of the last minutes, beside the number that it is of.

import { curve } from "./changes";

const [WIDTH, HEIGHT] = [150, 26];

export function Spark({ values, most, label }: { values: readonly (number | null)[]; most?: number | undefined; label: string }) {
  return (
    <svg class="spark" role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" height={HEIGHT}>
      <title>{label}</title>
      <polyline points={curve(values, WIDTH, HEIGHT, most)} />
    </svg>
  );
}
