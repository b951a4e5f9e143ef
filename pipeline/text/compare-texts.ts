/** Compares by code unit: the same on every machine, whatever its locale. */
export const compareTexts = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
