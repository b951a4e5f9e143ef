/** Returns what a benchmark was started with: `option('rounds')` is `5` for `rounds=5`. */
export const option = (name: string): string | undefined =>
  process.argv.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1)
