// The raster in a worker, so that drawing never holds up the page.

import { Raster, type Job } from "./raster";
import { decode } from "./tiles";

export type ToWorker = { add: string; bytes: ArrayBuffer } | { drop: string } | { paint: Job; id: number };
export interface FromWorker {
  id: number;
  pixels: ArrayBuffer;
}

const raster = new Raster();

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ("add" in data) {
    const tile = decode(data.bytes);
    if (tile.kind === "shares" || tile.kind === "spans") raster.add(data.add, tile);
  } else if ("drop" in data) {
    raster.drop(data.drop);
  } else {
    const pixels = raster.paint(data.paint).buffer as ArrayBuffer;
    const answer: FromWorker = { id: data.id, pixels };
    self.postMessage(answer, { transfer: [pixels] });
  }
};
