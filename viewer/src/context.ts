// The page's application and display, for the components.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { App } from "./app";
import type { Stage } from "./stage";
import { useValue } from "./value";
import type { View } from "./state";

export const Page = createContext<{ app: App; stage: Stage } | null>(null);

export function usePage(): { app: App; stage: Stage; view: View } {
  const page = useContext(Page)!;
  return { ...page, view: useValue(page.app.view) };
}
